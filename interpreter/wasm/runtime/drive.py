"""What plays: starting, taking an option, copies of positions, whole games at random, playouts."""

from __future__ import annotations

from interpreter.failures import Limits
from interpreter.wasm.layout import Layout
from interpreter.wasm.runtime.core import filled

#: The copy of a position begins with how many bytes of frames and of options it has.
COPY_HEAD = 16

DRIVE = """
  ;; ---------------------------------------------------------------- frames and options
  (type $block (func (param i32) (result i32)))
  (func $push (param $from i32) (param $then i32) (param $block i32) (param $size i32) (result i32)
    (local $new i32) (local $at i32) (local $end i32)
    (local.set $new (i32.load (i32.const @free@)))
    (if (i32.gt_u (i32.add (local.get $new) (local.get $size)) (i32.const @frames_end@)) (then
      (call $fail (i32.const 2) (i32.const 0))))
    (if (local.get $from) (then (i32.store (local.get $from) (local.get $then))))
    (i32.store (local.get $new) (local.get $block))
    (i32.store offset=4 (local.get $new) (local.get $from))
    (local.set $at (local.get $new))
    (local.set $end (i32.add (local.get $new) (local.get $size)))
    (block $done (loop $again
      (br_if $done (i32.ge_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end)))
      (i64.store (local.get $at) (i64.const -1))
      (br $again)))
    (i32.store (i32.const @top@) (local.get $new))
    (i32.store (i32.const @free@) (local.get $end))
    (local.get $new))
  (func $return (param $f i32) (result i32)
    (i32.store (i32.const @free@) (local.get $f))
    (local.set $f (i32.load offset=4 (local.get $f)))
    (i32.store (i32.const @top@) (local.get $f))
    (return_call_indirect (type $block) (local.get $f) (i32.load (local.get $f))))
  (func $finish
    (i32.store (i32.const @over@) (i32.const 1))
    (i32.store (i32.const @top@) (i32.const 0))
    (i32.store (i32.const @free@) (i32.const @frames@))
    (i32.store (i32.const @offered@) (i32.const 0))
    (i32.store (i32.const @player@) (i32.const -1))
    (i32.store (i32.const @ask@) (i32.const -1)))
  (func $new_option (param $size i32) (result i32)
    (local $number i32) (local $place i32)
    (local.set $number (i32.load (i32.const @offered@)))
    (local.set $place (i32.add (i32.const @options@) (i32.mul (local.get $number) (local.get $size))))
    (if (i32.ge_u (local.get $place) (i32.const @options_end@)) (then
      (call $fail (i32.const 2) (i32.const 0))))
    (i32.store (i32.const @offered@) (i32.add (local.get $number) (i32.const 1)))
    (local.get $place))
  (func $offer (param $value i64)
    (i64.store (call $new_option (i32.const 8)) (local.get $value)))

  ;; ---------------------------------------------------------------- playing
  (func $go_on (result i32)
    (local $f i32)
    (local.set $f (i32.load (i32.const @top@)))
    (call_indirect (type $block) (local.get $f) (i32.load (local.get $f))))
  ;; A new game from a state of the generator, to its first question (1) or its end (2).
  (func $start (export "start") (param $chance i64) (result i32)
    (memory.copy (i32.const @position@) (i32.const @template@) (i32.const @fixed_size@))
    (i64.store (i32.const @chance@) (local.get $chance))
    (i32.store (i32.const @top@) (i32.const 0))
    (i32.store (i32.const @free@) (i32.const @frames@))
    (drop (call $push (i32.const 0) (i32.const 0) (i32.const @main@) (i32.const @main_size@)))
    (call $refuel)
    (call $go_on))
  (func $stride (result i32)
    (i32.load (i32.add (i32.const @strides@) (i32.shl (i32.load (i32.const @ask@)) (i32.const 2)))))
  ;; Takes the option with this number, and goes on to the next question or the end.
  (func $take (export "take") (param $index i32) (result i32)
    (i32.store (i32.const @answer@) (i32.add (i32.const @options@)
      (i32.mul (local.get $index) (call $stride))))
    (i64.store (i32.const @choices@) (i64.add (i64.load (i32.const @choices@)) (i64.const 1)))
    (call $refuel)
    (if (i64.gt_s (i64.load (i32.const @choices@)) (i64.const @choice_limit@)) (then
      (call $fail (i32.const 703) (i32.const -1))))
    (call $go_on))

  ;; ---------------------------------------------------------------- copies
  (func $copy_size (export "copy_size") (result i32)
    (i32.add (i32.const @copy_head@) (i32.add
      (i32.sub (i32.load (i32.const @free@)) (i32.const @position@))
      (call $options_size))))
  (func $options_size (result i32)
    (if (result i32) (i32.load (i32.const @offered@))
      (then (i32.mul (i32.load (i32.const @offered@)) (call $stride)))
      (else (i32.const 0))))
  (func $save (export "save") (param $to i32)
    (local $size i32)
    (local.set $size (i32.sub (i32.load (i32.const @free@)) (i32.const @position@)))
    (i32.store (local.get $to) (local.get $size))
    (i32.store offset=4 (local.get $to) (call $options_size))
    (memory.copy (i32.add (local.get $to) (i32.const @copy_head@)) (i32.const @position@) (local.get $size))
    (memory.copy (i32.add (i32.add (local.get $to) (i32.const @copy_head@)) (local.get $size))
      (i32.const @options@) (call $options_size)))
  (func $restore (export "restore") (param $from i32)
    (local $size i32)
    (local.set $size (i32.load (local.get $from)))
    (memory.copy (i32.const @position@) (i32.add (local.get $from) (i32.const @copy_head@)) (local.get $size))
    (memory.copy (i32.const @options@)
      (i32.add (i32.add (local.get $from) (i32.const @copy_head@)) (local.get $size))
      (i32.load offset=4 (local.get $from))))

  ;; ---------------------------------------------------------------- players at random
  ;; Where a seed from 0 to 2**64 - 1, and a number counted on from it, lead: see machine/chance.py.
  (func $seeded (param $seed i64) (param $number i64) (result i64)
    (local $state i64) (local $high i64)
    (local.set $state (call $mix (i64.add (i64.shl (local.get $seed) (i64.const 1))
      (i64.const 0x9E3779B97F4A7C15))))
    (local.set $high (i64.add (i64.shr_u (local.get $seed) (i64.const 63))
      (i64.shl (local.get $number) (i64.const 1))))
    (if (i64.ne (local.get $high) (i64.const 0)) (then
      (local.set $state (call $mix (i64.add (i64.xor (local.get $state) (local.get $high))
        (i64.const 0x9E3779B97F4A7C15))))))
    (local.get $state))
  ;; What a player at random chooses here: by the seed, the player and how many choices were made before.
  (func $any (param $chance i64) (result i32)
    (local $player i64)
    (local.set $player (i64.extend_i32_s (i32.load (i32.const @player@))))
    (local.set $player (select
      (i64.shl (local.get $player) (i64.const 1))
      (i64.sub (i64.mul (local.get $player) (i64.const -2)) (i64.const 1))
      (i64.ge_s (local.get $player) (i64.const 0))))
    (i64.store (i32.const @drawing@) (call $seeded
      (call $seeded
        (call $seeded (call $seeded (local.get $chance) (local.get $player)) (i64.const 0))
        (i64.shl (i64.load (i32.const @choices@)) (i64.const 1)))
      (i64.const 0)))
    (i32.wrap_i64 (call $below_at (i32.const @drawing@)
      (i64.extend_i32_u (i32.load (i32.const @offered@))))))
  ;; Plays on at random, at most so many choices: 1 if a question is left, 2 at the end.
  (func $play (export "play") (param $chance i64) (param $most i64) (result i32)
    (loop $again
      (if (i32.load (i32.const @over@)) (then (return (i32.const 2))))
      (if (i64.le_s (local.get $most) (i64.const 0)) (then (return (i32.const 1))))
      (if (i32.eqz (i32.load (i32.const @offered@))) (then (call $fail (i32.const 3) (i32.const 0))))
      (local.set $most (i64.sub (local.get $most) (i64.const 1)))
      (drop (call $take (call $any (local.get $chance))))
      (br $again))
    (unreachable))
  ;; Plays on with a generator of its own, as the playouts of a search do.
  (func $playout (export "playout") (param $most i64) (result i32)
    (loop $again
      (if (i32.load (i32.const @over@)) (then (return (i32.const 2))))
      (if (i64.le_s (local.get $most) (i64.const 0)) (then (return (i32.const 1))))
      (if (i32.eqz (i32.load (i32.const @offered@))) (then (call $fail (i32.const 3) (i32.const 0))))
      (local.set $most (i64.sub (local.get $most) (i64.const 1)))
      (drop (call $take (i32.wrap_i64 (call $below_at (i32.const @playing@)
        (i64.extend_i32_u (i32.load (i32.const @offered@)))))))
      (br $again))
    (unreachable))
  ;; Takes an option and goes on, but lists no actions: for who only wants to know what comes of it.
  (func $glance (export "glance") (param $index i32) (result i32)
    (global.set $weighed (i32.const 0))
    (global.set $brief (i32.const 1))
    (drop (call $take (local.get $index)))
    (global.set $brief (i32.const 0))
    (i32.const 0))
  ;; ---------------------------------------------------------------- playouts: see players/playouts.py
  ;; What the game is to a player: 0 lost, 1 drawn or not over, 2 won; and how far his side leads.
  (func $fate (param $player i32) (result i32)
    (local $winners i64) (local $ending i32)
    (if (i32.eqz (i32.load (i32.const @over@))) (then (return (i32.const 1))))
    (local.set $winners (i64.load (i32.const @winners@)))
    (local.set $ending (i32.load8_u (i32.add (i32.const @endings@)
      (i32.add (i32.load (i32.const @ending@)) (i32.const 1)))))
    (if (i64.eqz (local.get $winners)) (then
      (return (i32.eqz (i32.and (local.get $ending) (i32.const 1))))))
    (if (i64.eqz (i64.and (i64.const 1) (i64.shr_u (local.get $winners)
          (i64.extend_i32_u (local.get $player))))) (then
      (return (i32.const 0))))
    (if (i32.and (local.get $ending) (i32.const 2)) (then
      (if (i32.or
            (i64.eq (local.get $winners) (i64.const @present@))
            (i64.ne (i64.const 0) (i64.and (local.get $winners)
              (i64.load offset=8 (call $side (local.get $player)))))) (then
        (return (i32.const 1))))))
    (i32.const 2))
  ;; Where the players of a player's own side are, as a mask, and behind it the others.
  (func $side (param $player i32) (result i32)
    (i32.add (i32.const @sides@) (i32.shl (local.get $player) (i32.const 4))))
  (func $scores (param $players i64) (result i64)
    (local $player i32) (local $sum i64) (local $score i64)
    (block $done
      (loop $again
        (br_if $done (i64.eqz (local.get $players)))
        (if (i64.ne (i64.and (local.get $players) (i64.const 1)) (i64.const 0)) (then
          (call $refuel)
          (local.set $score (call $score (local.get $player)))
          (if (i64.gt_s (local.get $score) (i64.const @largest@)) (then
            (local.set $score (i64.const @largest@))))
          (if (i64.lt_s (local.get $score) (i64.const -@largest@)) (then
            (local.set $score (i64.const -@largest@))))
          (local.set $sum (i64.add (local.get $sum) (local.get $score)))))
        (local.set $players (i64.shr_u (local.get $players) (i64.const 1)))
        (local.set $player (i32.add (local.get $player) (i32.const 1)))
        (br $again)))
    (local.get $sum))
  (func $lead (export "lead") (param $player i32) (result i64)
    (local $own i64) (local $foes i64)
    (if (i32.eqz (i32.const @scored@)) (then (return (i64.const 0))))
    (local.set $own (i64.load (call $side (local.get $player))))
    (local.set $foes (i64.load offset=8 (call $side (local.get $player))))
    (if (i64.eqz (local.get $foes)) (then (return (call $scores (local.get $own)))))
    (i64.sub
      (i64.mul (call $scores (local.get $own)) (i64.popcnt (local.get $foes)))
      (i64.mul (call $scores (local.get $foes)) (i64.popcnt (local.get $own)))))
  (func $worth (export "worth") (param $player i32) (result i64)
    (i64.add (call $lead (local.get $player))
      (i64.shl (i64.extend_i32_s (i32.sub (call $fate (local.get $player)) (i32.const 1))) (i64.const 60))))
  (func $may_pass (result i32)
    (i32.and
      (i32.load8_u (i32.add (i32.const @offers@) (i32.load (i32.const @ask@))))
      (i64.eq (i64.const -1) (i64.load (i32.add (i32.const @options@)
        (i32.mul (i32.sub (i32.load (i32.const @offered@)) (i32.const 1)) (call $stride)))))))
  ;; ---------------------------------------------------------------- steps: see players/foresight.py
  ;; Whether the answer that was found last, which led here, has been weighed, and what it is worth.
  (global $weighed (mut i32) (i32.const 0))
  (global $found_worth (mut i64) (i64.const 0))
  ;; Takes an option of a copy, and what it asks its player is answered as is best for him: what that is worth
  ;; to him. At $leads is then whether no chance was in it.
  (func $step (export "step") (param $copy i32) (param $option i32) (param $of_action i32)
      (param $of_answer i32) (param $answers i32) (param $others i32) (result i64)
    (local $player i32) (local $ask i32) (local $luck i64) (local $passes i32) (local $drawn i64)
    (local $asked i32)
    (call $restore (local.get $copy))
    (local.set $player (i32.load (i32.const @player@)))
    (local.set $ask (i32.load (i32.const @ask@)))
    (local.set $luck (i64.load (i32.const @chance@)))
    (local.set $drawn (call $seeded (local.get $luck) (i64.const 0)))
    (i64.store (i32.const @drawing@) (local.get $drawn))
    (local.set $passes (i32.and (call $may_pass) (i32.eq (local.get $option)
      (i32.sub (i32.load (i32.const @offered@)) (i32.const 1)))))
    (drop (call $glance (local.get $option)))
    (if (local.get $passes) (then
      (if (i32.eqz (i32.load (i32.const @over@))) (then (call $restore (local.get $copy)))))
    (else (if (i32.load8_u (i32.add (i32.const @offers@) (local.get $ask))) (then
      (call $answer_all (local.get $player) (local.get $of_action) (local.get $answers)
        (local.get $others))
      (local.set $asked (i64.ne (local.get $drawn) (i64.load (i32.const @drawing@)))))
    (else
      (call $answer_all (local.get $player) (local.get $of_answer) (local.get $answers) (i32.const 0))
      (call $others_answer (local.get $player) (local.get $ask) (local.get $others))))))
    (i64.store (i32.const @leads@) (i64.extend_i32_u (i32.gt_u
      (i64.eq (local.get $luck) (i64.load (i32.const @chance@)))
      (local.get $asked))))
    (if (result i64) (global.get $weighed)
      (then (global.get $found_worth))
      (else (call $worth (local.get $player)))))
  (func $answer_all (param $player i32) (param $most i32) (param $answers i32) (param $others i32)
    (block $done
      (loop $again
        (br_if $done (i32.eqz (i32.load (i32.const @offered@))))
        (br_if $done (i32.load8_u (i32.add (i32.const @offers@) (i32.load (i32.const @ask@)))))
        (if (i32.ne (i32.load (i32.const @player@)) (local.get $player)) (then
          (br_if $done (i32.eqz (local.get $others)))
          (local.set $others (i32.sub (local.get $others) (i32.const 1)))
          (call $answer_anyhow)
          (br $again)))
        (br_if $done (i32.eqz (local.get $most)))
        (call $answer_well (local.get $player) (local.get $answers))
        (local.set $most (i32.sub (local.get $most) (i32.const 1)))
        (br $again))))
  (func $answer_well (param $player i32) (param $answers i32)
    (local $tried i32) (local $option i32) (local $found i32) (local $best i64) (local $now i64)
    (if (i32.eq (i32.load (i32.const @offered@)) (i32.const 1)) (then
      (drop (call $glance (i32.const 0)))
      (return)))
    (call $mix_answers (i32.load (i32.const @offered@)))
    (if (i32.lt_u (i32.load (i32.const @offered@)) (local.get $answers)) (then
      (local.set $answers (i32.load (i32.const @offered@)))))
    (call $save (i32.const @thinking@))
    (local.set $best (i64.const 0x8000000000000000))
    (block $done
      (loop $again
        (local.set $option (i32.load
          (i32.add (i32.const @mixed@) (i32.shl (local.get $tried) (i32.const 2)))))
        (drop (call $glance (local.get $option)))
        (local.set $now (call $worth (local.get $player)))
        (if (i64.gt_s (local.get $now) (local.get $best)) (then
          (local.set $best (local.get $now))
          (local.set $found (local.get $option))))
        (local.set $tried (i32.add (local.get $tried) (i32.const 1)))
        (br_if $done (i32.ge_u (local.get $tried) (local.get $answers)))
        (call $restore (i32.const @thinking@))
        (br $again)))
    (if (i32.ne (local.get $found) (local.get $option)) (then
      (call $restore (i32.const @thinking@))
      (drop (call $glance (local.get $found)))))
    (global.set $weighed (i32.const 1))
    (global.set $found_worth (local.get $best)))
  ;; The numbers below $count in any order.
  (func $mix_answers (param $count i32)
    (local $at i32) (local $other i32) (local $number i32)
    (loop $again
      (i32.store (i32.add (i32.const @mixed@) (i32.shl (local.get $number) (i32.const 2)))
        (local.get $number))
      (local.set $number (i32.add (local.get $number) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $number) (local.get $count))))
    (block $done
      (loop $again
        (br_if $done (i32.le_u (local.get $count) (i32.const 1)))
        (local.set $other (i32.add (i32.const @mixed@) (i32.shl (i32.wrap_i64
          (call $below_at (i32.const @playing@) (i64.extend_i32_u (local.get $count)))) (i32.const 2))))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (local.set $at (i32.add (i32.const @mixed@) (i32.shl (local.get $count) (i32.const 2))))
        (local.set $number (i32.load (local.get $at)))
        (i32.store (local.get $at) (i32.load (local.get $other)))
        (i32.store (local.get $other) (local.get $number))
        (br $again))))
  (func $answer_anyhow
    (drop (call $glance (i32.wrap_i64 (call $below_at (i32.const @drawing@)
      (i64.extend_i32_u (i32.load (i32.const @offered@))))))))
  (func $others_answer (param $player i32) (param $ask i32) (param $most i32)
    (block $done
      (loop $again
        (br_if $done (i32.eqz (local.get $most)))
        (br_if $done (i32.eqz (i32.load (i32.const @offered@))))
        (br_if $done (i32.ne (i32.load (i32.const @ask@)) (local.get $ask)))
        (br_if $done (i32.eq (i32.load (i32.const @player@)) (local.get $player)))
        (call $answer_anyhow)
        (local.set $most (i32.sub (local.get $most) (i32.const 1)))
        (br $again))))
  ;; The best of a few options taken at random, and of passing, one step ahead with another luck.
  (func $better (param $tries i32) (result i32)
    (local $count i32) (local $player i32) (local $best i64) (local $now i64) (local $found i32)
    (local $option i32) (local $luck i64)
    (local.set $count (i32.load (i32.const @offered@)))
    (if (i32.eq (local.get $count) (i32.const 1)) (then (return (i32.const 0))))
    (local.set $player (i32.load (i32.const @player@)))
    (local.set $best (i64.const 0x8000000000000000))
    (if (i32.and (i32.const @scored@) (call $may_pass)) (then
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (local.set $found (local.get $count))
      (local.set $best (call $worth (local.get $player)))))
    (i64.store (i32.const @playing@) (i64.add (i64.load (i32.const @playing@))
      (i64.const 0x9E3779B97F4A7C15)))
    (local.set $luck (call $mix (i64.load (i32.const @playing@))))
    (call $save (i32.const @thinking@))
    (loop $again
      (local.set $option (i32.wrap_i64 (call $below_at (i32.const @playing@)
        (i64.extend_i32_u (local.get $count)))))
      (i64.store (i32.const @chance@) (local.get $luck))
      (drop (call $glance (local.get $option)))
      (local.set $now (call $worth (local.get $player)))
      (call $restore (i32.const @thinking@))
      (if (i64.ge_s (local.get $now) (local.get $best)) (then
        (local.set $best (local.get $now))
        (local.set $found (local.get $option))))
      (local.set $tries (i32.sub (local.get $tries) (i32.const 1)))
      (br_if $again (i32.gt_s (local.get $tries) (i32.const 0))))
    (local.get $found))
  ;; Plays on from a copy with an option: what has become of the game for a player. What his side leads by
  ;; lies at $leads then: when the option has been carried out, and at the end.
  (func $weigh (export "weigh") (param $copy i32) (param $luck i64) (param $option i32) (param $player i32)
      (param $careful i32) (param $tries i32) (param $most i64) (param $shortest i64) (param $turn i64)
      (param $phase i32) (result i32)
    (local $taken i64) (local $turns i64) (local $near i32)
    (call $restore (local.get $copy))
    (i64.store (i32.const @chance@) (local.get $luck))
    (if (i32.and (call $may_pass) (i32.eq (local.get $option)
          (i32.sub (i32.load (i32.const @offered@)) (i32.const 1)))) (then
      (local.set $near (i32.const 1))
      (i64.store (i32.const @leads@) (call $lead (local.get $player)))))
    (drop (call $take (local.get $option)))
    (block $done
      (loop $again
        (br_if $done (i32.load (i32.const @over@)))
        (br_if $done (i32.eqz (i32.load (i32.const @offered@))))
        (br_if $done (i64.ge_s (local.get $taken) (local.get $most)))
        (if (i32.eqz (local.get $near)) (then
          (if (i32.or
                (i32.load8_u (i32.add (i32.const @offers@) (i32.load (i32.const @ask@))))
                (i32.ne (i32.load (i32.const @player@)) (local.get $player))) (then
            (local.set $near (i32.const 1))
            (i64.store (i32.const @leads@) (call $lead (local.get $player)))))))
        (if (i32.and (i64.ge_s (local.get $shortest) (i64.const 0))
              (i64.ge_s (local.get $taken) (local.get $shortest))) (then
          (local.set $turns (i64.sub (i64.load (i32.const @turn@)) (local.get $turn)))
          (br_if $done (i64.gt_s (local.get $turns) (i64.const 1)))
          (br_if $done (i32.and (i64.eq (local.get $turns) (i64.const 1))
            (i32.eq (i32.load (i32.const @phase@)) (local.get $phase))))))
        (drop (call $take (call $better
          (select (local.get $tries) (local.get $careful) (local.get $near)))))
        (local.set $taken (i64.add (local.get $taken) (i64.const 1)))
        (br $again)))
    (i64.store offset=8 (i32.const @leads@) (call $lead (local.get $player)))
    (if (i32.eqz (local.get $near)) (then
      (i64.store (i32.const @leads@) (i64.load offset=8 (i32.const @leads@)))))
    (call $fate (local.get $player)))
  ;; Many whole games at random, one after the other: how many choices they had.
  ;; How often each player won is added up behind $wins; a game that nobody won counts behind the last player.
  (func $many (export "many") (param $games i32) (param $wins i32) (result i64)
    (local $choices i64) (local $player i32) (local $won i32) (local $spot i32)
    (block $done
      (loop $again
        (br_if $done (i32.eqz (local.get $games)))
        (local.set $games (i32.sub (local.get $games) (i32.const 1)))
        (i64.store (i32.const @playing@) (i64.add (i64.load (i32.const @playing@))
          (i64.const 0x9E3779B97F4A7C15)))
        (drop (call $start (call $mix (i64.load (i32.const @playing@)))))
        (drop (call $playout (i64.const @choice_limit@)))
        (local.set $choices (i64.add (local.get $choices) (i64.load (i32.const @choices@))))
        (local.set $player (i32.const 0))
        (local.set $won (i32.const 0))
        (loop $players
          (if (i32.wrap_i64 (i64.and (i64.const 1) (i64.shr_u (i64.load (i32.const @winners@))
                (i64.extend_i32_u (local.get $player))))) (then
            (local.set $won (i32.const 1))
            (local.set $spot (i32.add (local.get $wins) (i32.shl (local.get $player) (i32.const 3))))
            (i64.store (local.get $spot) (i64.add (i64.load (local.get $spot)) (i64.const 1)))))
          (local.set $player (i32.add (local.get $player) (i32.const 1)))
          (br_if $players (i32.lt_s (local.get $player) (i32.const @players@))))
        (if (i32.eqz (local.get $won)) (then
          (local.set $spot (i32.add (local.get $wins) (i32.const @nobody@)))
          (i64.store (local.get $spot) (i64.add (i64.load (local.get $spot)) (i64.const 1)))))
        (br $again)))
    (local.get $choices))
"""


def drive(layout: Layout, limits: Limits, numbers: dict[str, object]) -> str:
    """The functions, with the numbers of a game in them."""
    known: dict[str, object] = {
        "free": layout.free, "top": layout.top, "frames": layout.frames, "over": layout.over,
        "frames_end": layout.options, "offered": layout.offered, "player": layout.player, "ask": layout.ask,
        "options": layout.options, "options_end": layout.options_end, "position": layout.start,
        "fixed_size": layout.frames - layout.start, "chance": layout.chance, "answer": layout.answer,
        "choices": layout.choices, "choice_limit": limits.choices, "copy_head": COPY_HEAD,
        "winners": layout.winners, "ending": layout.ending, "turn": layout.turn,
        "phase": layout.phase, **numbers,
    }  # fmt: skip
    return filled(DRIVE, known)

"""The functions that every module has, written by hand: failures, budget, chance, piles, the board."""

from __future__ import annotations

from interpreter.failures import Limits
from interpreter.wasm.layout import Layout
from interpreter.wasm.runtime.board import BOARD

#: What a failure stores before the module stops: the number of its code in the catalogue; the last are ours.
DIVIDED_BY_ZERO, STEPS, CHOICES, NO_ROW, NUMBER, COLLECTION = 701, 702, 703, 704, 705, 706
REFUSED, TOO_LONG, MEMORY, STANDSTILL = 709, 1, 2, 3

#: Globals: what the host reads and sets. `stack` is where the next list or set of several words goes.
GLOBALS = """
  (global $stack (mut i32) (i32.const @scratch@))
  (global $fuel (export "fuel") (mut i64) (i64.const 0))
  (global $idle (mut i64) (i64.const 0))
  (global $depth (mut i32) (i32.const 0))
  (global $heap (mut i32) (i32.const @heap@))
  (global $brief (export "brief") (mut i32) (i32.const 0))
  (global $given (mut i64) (i64.const 0))
  (global $gave (mut i32) (i32.const 0))
  (global $clock (export "clock") (mut i64) (i64.const 1))
  (global $code (export "code") (mut i32) (i32.const 0))
  (global $site (export "site") (mut i32) (i32.const 0))
"""

FUNCTIONS = """
  ;; ---------------------------------------------------------------- failures and budget
  (func $fail (param $code i32) (param $site i32)
    (global.set $code (local.get $code))
    (global.set $site (local.get $site))
    (unreachable))
  (func $reserve (param $size i32)
    (global.set $stack (i32.add (global.get $stack) (local.get $size)))
    (if (i32.gt_u (global.get $stack) (i32.shl (memory.size) (i32.const 16))) (then
      (call $grow (local.get $size)))))
  (func $grow (param $size i32)
    (if (i32.lt_s (memory.grow (i32.add (i32.shr_u (local.get $size) (i32.const 16)) (i32.const 16)))
                  (i32.const 0)) (then
      (call $fail (i32.const 2) (i32.const 0)))))
  (func $spend (param $steps i64) (param $site i32)
    (global.set $fuel (i64.sub (global.get $fuel) (local.get $steps)))
    (if (i64.lt_s (global.get $fuel) (i64.const 0)) (then
      (call $fail (i32.const 702) (local.get $site)))))
  ;; What nothing in play changes is worked out on a budget of its own, from the outermost such thing on.
  (func $begin_fixed
    (if (i32.eqz (global.get $depth)) (then (call $swap_budgets)))
    (global.set $depth (i32.add (global.get $depth) (i32.const 1))))
  (func $end_fixed
    (global.set $depth (i32.sub (global.get $depth) (i32.const 1)))
    (if (i32.eqz (global.get $depth)) (then (call $swap_budgets))))
  (func $swap_budgets
    (local $held i64)
    (local.set $held (global.get $fuel))
    (global.set $fuel (global.get $idle))
    (global.set $idle (local.get $held)))
  ;; Whoever asks the rules for something gives them their budgets first; a failure may have left a mess.
  (func $refuel (export "refuel")
    (global.set $fuel (i64.const @steps@))
    (global.set $idle (i64.const @steps@))
    (global.set $depth (i32.const 0))
    (global.set $stack (i32.const @scratch@)))
  (func $tick (result i64)
    (global.set $clock (i64.add (global.get $clock) (i64.const 1)))
    (global.get $clock))

  ;; ---------------------------------------------------------------- numbers
  (func $down (param $a i64) (param $b i64) (param $site i32) (result i64)
    (local $q i64)
    (if (i64.eqz (local.get $b)) (then (call $fail (i32.const 701) (local.get $site))))
    (local.set $q (i64.div_s (local.get $a) (local.get $b)))
    (if (i32.and
          (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a))
          (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))) (then
      (local.set $q (i64.sub (local.get $q) (i64.const 1)))))
    (local.get $q))
  (func $up (param $a i64) (param $b i64) (param $site i32) (result i64)
    (i64.sub (i64.const 0)
      (call $down (i64.sub (i64.const 0) (local.get $a)) (local.get $b) (local.get $site))))
  (func $near (param $a i64) (param $b i64) (param $site i32) (result i64)
    (call $down
      (i64.add (i64.mul (i64.const 2) (local.get $a)) (local.get $b))
      (i64.mul (i64.const 2) (local.get $b)) (local.get $site)))
  (func $limited (param $a i64) (param $site i32) (result i64)
    (if (i32.or
          (i64.gt_s (local.get $a) (i64.const @number@))
          (i64.lt_s (local.get $a) (i64.const -@number@))) (then
      (call $fail (i32.const 705) (local.get $site))))
    (local.get $a))
  (func $times (param $a i64) (param $b i64) (param $site i32) (result i64)
    (local $p i64)
    (local.set $p (i64.mul (local.get $a) (local.get $b)))
    (if (i64.ne (local.get $a) (i64.const 0)) (then
      (if (i64.ne (i64.div_s (local.get $p) (local.get $a)) (local.get $b)) (then
        (call $fail (i32.const 705) (local.get $site))))))
    (call $limited (local.get $p) (local.get $site)))
  (func $bounded (param $n i64) (param $site i32) (result i64)
    (if (i64.gt_s (local.get $n) (i64.const @collection@)) (then
      (call $fail (i32.const 706) (local.get $site))))
    (local.get $n))
  (func $most (param $a i64) (param $b i64) (result i64)
    (select (local.get $a) (local.get $b) (i64.gt_s (local.get $a) (local.get $b))))
  (func $least (param $a i64) (param $b i64) (result i64)
    (select (local.get $a) (local.get $b) (i64.lt_s (local.get $a) (local.get $b))))

  ;; ---------------------------------------------------------------- chance
  (func $mix (param $z i64) (result i64)
    (local.set $z (i64.mul
      (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30)))
      (i64.const 0xBF58476D1CE4E5B9)))
    (local.set $z (i64.mul
      (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27)))
      (i64.const 0x94D049BB133111EB)))
    (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
  ;; Draws from the generator at an address: a whole number below $n, which is at most 2**32.
  (func $below_at (param $at i32) (param $n i64) (result i64)
    (local $state i64) (local $v i64) (local $low i64)
    (local.set $state (i64.load (local.get $at)))
    (loop $again
      (local.set $state (i64.add (local.get $state) (i64.const 0x9E3779B97F4A7C15)))
      ;; as $mix, which is not called here because a call takes as long
      (local.set $v (i64.mul
        (i64.xor (local.get $state) (i64.shr_u (local.get $state) (i64.const 30)))
        (i64.const 0xBF58476D1CE4E5B9)))
      (local.set $v (i64.mul
        (i64.xor (local.get $v) (i64.shr_u (local.get $v) (i64.const 27)))
        (i64.const 0x94D049BB133111EB)))
      (local.set $v (i64.xor (local.get $v) (i64.shr_u (local.get $v) (i64.const 31))))
      (local.set $low (i64.mul (local.get $v) (local.get $n)))
      (if (i64.lt_u (local.get $low) (local.get $n)) (then
        (br_if $again (i64.lt_u (local.get $low)
          (i64.rem_u (i64.sub (i64.const 0) (local.get $n)) (local.get $n)))))))
    (i64.store (local.get $at) (local.get $state))
    (i64.shr_u
      (i64.add
        (i64.mul (i64.shr_u (local.get $v) (i64.const 32)) (local.get $n))
        (i64.shr_u
          (i64.mul (i64.and (local.get $v) (i64.const 0xffffffff)) (local.get $n))
          (i64.const 32)))
      (i64.const 32)))
  (func $below (param $n i64) (result i64)
    (call $below_at (i32.const @chance@) (local.get $n)))

  ;; ---------------------------------------------------------------- lists: a length, then words
  (func $new_list (param $length i32) (result i32)
    (local $place i32)
    (local.set $place (global.get $stack))
    (call $reserve (i32.shl (i32.add (local.get $length) (i32.const 1)) (i32.const 3)))
    (i64.store (local.get $place) (i64.const 0))
    (local.get $place))
  (func $append (param $list i32) (param $value i64)
    (local $length i64)
    (local.set $length (i64.add (i64.load (local.get $list)) (i64.const 1)))
    (i64.store (local.get $list) (local.get $length))
    (i64.store
      (i32.add (local.get $list) (i32.shl (i32.wrap_i64 (local.get $length)) (i32.const 3)))
      (local.get $value)))
  (func $item (param $list i32) (param $position i64) (param $missing i64) (result i64)
    (if (result i64) (i64.lt_u (local.get $position) (i64.load (local.get $list)))
      (then (i64.load (i32.add
        (i32.add (local.get $list) (i32.const 8))
        (i32.shl (i32.wrap_i64 (local.get $position)) (i32.const 3)))))
      (else (local.get $missing))))
  (func $list_has (param $list i32) (param $value i64) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
    (block $none
      (loop $again
        (br_if $none (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $list (i32.add (local.get $list) (i32.const 8)))
        (if (i64.eq (i64.load (local.get $list)) (local.get $value)) (then (return (i32.const 1))))
        (br $again)))
    (i32.const 0))
  (func $same_words (param $a i32) (param $b i32) (param $count i32) (result i32)
    (block $different
      (loop $again
        (if (i32.eqz (local.get $count)) (then (return (i32.const 1))))
        (br_if $different (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))))
        (local.set $a (i32.add (local.get $a) (i32.const 8)))
        (local.set $b (i32.add (local.get $b) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $again)))
    (i32.const 0))
  (func $same_lists (param $a i32) (param $b i32) (result i32)
    (call $same_words (local.get $a) (local.get $b)
      (i32.add
        (select (i32.load (local.get $a)) (i32.const 0)
          (i64.eq (i64.load (local.get $a)) (i64.load (local.get $b))))
        (i32.const 1))))
  (func $joined (param $a i32) (param $b i32) (result i32)
    (local $new i32) (local $first i32) (local $second i32)
    (local.set $first (i32.shl (i32.load (local.get $a)) (i32.const 3)))
    (local.set $second (i32.shl (i32.load (local.get $b)) (i32.const 3)))
    (local.set $new (call $new_list (i32.add (i32.load (local.get $a)) (i32.load (local.get $b)))))
    (i64.store (local.get $new) (i64.add (i64.load (local.get $a)) (i64.load (local.get $b))))
    (memory.copy (i32.add (local.get $new) (i32.const 8))
      (i32.add (local.get $a) (i32.const 8)) (local.get $first))
    (memory.copy (i32.add (i32.add (local.get $new) (i32.const 8)) (local.get $first))
      (i32.add (local.get $b) (i32.const 8)) (local.get $second))
    (local.get $new))
  ;; Copies a list into a place for so many words; a longer one makes the host give it more room.
  (func $keep_list (param $to i32) (param $from i32) (param $room i32)
    (local $end i32)
    (if (i32.gt_s (i32.load (local.get $from)) (local.get $room)) (then
      (call $fail (i32.const 1) (i32.load (local.get $from)))))
    (local.set $end (i32.add (local.get $from) (i32.shl (i32.load (local.get $from)) (i32.const 3))))
    (loop $again
      (i64.store (local.get $to) (i64.load (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (br_if $again (i32.le_u (local.get $from) (local.get $end)))))
  (func $remove_item (param $list i32) (param $value i64)
    (local $at i32) (local $end i32)
    (local.set $at (i32.add (local.get $list) (i32.const 8)))
    (local.set $end (i32.add (local.get $at) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
    (block $none
      (loop $again
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (if (i64.eq (i64.load (local.get $at)) (local.get $value)) (then
          (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 8))
            (i32.sub (i32.sub (local.get $end) (local.get $at)) (i32.const 8)))
          (i64.store (local.get $list) (i64.sub (i64.load (local.get $list)) (i64.const 1)))
          (return)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $again))))
  (func $swap_items (param $list i32) (param $a i64) (param $b i64)
    (local $first i32) (local $second i32) (local $held i64)
    (local.set $first (i32.add (local.get $list)
      (i32.add (i32.const 8) (i32.shl (i32.wrap_i64 (local.get $a)) (i32.const 3)))))
    (local.set $second (i32.add (local.get $list)
      (i32.add (i32.const 8) (i32.shl (i32.wrap_i64 (local.get $b)) (i32.const 3)))))
    (local.set $held (i64.load (local.get $first)))
    (i64.store (local.get $first) (i64.load (local.get $second)))
    (i64.store (local.get $second) (local.get $held)))
  (func $shuffle_list (param $list i32)
    (local $last i64)
    (local.set $last (i64.sub (i64.load (local.get $list)) (i64.const 1)))
    (block $done
      (loop $again
        (br_if $done (i64.le_s (local.get $last) (i64.const 0)))
        (call $swap_items (local.get $list) (local.get $last)
          (call $below (i64.add (local.get $last) (i64.const 1))))
        (local.set $last (i64.sub (local.get $last) (i64.const 1)))
        (br $again))))
  ;; So many of a list by chance, in the order drawn: the list is cut down to them.
  (func $pick_many (param $list i32) (param $count i64)
    (local $place i64) (local $length i64)
    (local.set $length (i64.load (local.get $list)))
    (local.set $count (call $least (call $most (i64.const 0) (local.get $count)) (local.get $length)))
    (block $done
      (loop $again
        (br_if $done (i64.ge_s (local.get $place) (local.get $count)))
        (call $swap_items (local.get $list) (local.get $place)
          (i64.add (local.get $place)
            (call $below (i64.sub (local.get $length) (local.get $place)))))
        (local.set $place (i64.add (local.get $place) (i64.const 1)))
        (br $again)))
    (i64.store (local.get $list) (local.get $count)))
  (func $pick_one (param $list i32) (result i64)
    (if (result i64) (i64.eqz (i64.load (local.get $list)))
      (then (i64.const -1))
      (else (call $item (local.get $list)
        (call $below (i64.load (local.get $list))) (i64.const -1)))))

  ;; Sorts records of so many words, all of which count, the first most.
  (func $before (param $a i32) (param $b i32) (param $width i32) (result i32)
    (loop $again
      (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then
        (return (i64.lt_s (i64.load (local.get $a)) (i64.load (local.get $b))))))
      (local.set $a (i32.add (local.get $a) (i32.const 8)))
      (local.set $b (i32.add (local.get $b) (i32.const 8)))
      (br_if $again (local.tee $width (i32.sub (local.get $width) (i32.const 1)))))
    (i32.const 0))
  (func $sort (param $start i32) (param $count i32) (param $width i32)
    (local $size i32) (local $end i32) (local $next i32) (local $place i32) (local $spare i32)
    (local.set $size (i32.shl (local.get $width) (i32.const 3)))
    (local.set $end (i32.add (local.get $start) (i32.mul (local.get $count) (local.get $size))))
    (local.set $spare (global.get $stack))
    (call $reserve (local.get $size))
    (local.set $next (i32.add (local.get $start) (local.get $size)))
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $next) (local.get $end)))
        (local.set $place (local.get $next))
        (block $found
          (loop $back
            (br_if $found (i32.le_u (local.get $place) (local.get $start)))
            (br_if $found (i32.eqz (call $before (local.get $next)
              (i32.sub (local.get $place) (local.get $size)) (local.get $width))))
            (local.set $place (i32.sub (local.get $place) (local.get $size)))
            (br $back)))
        (if (i32.lt_u (local.get $place) (local.get $next)) (then
          (memory.copy (local.get $spare) (local.get $next) (local.get $size))
          (memory.copy (i32.add (local.get $place) (local.get $size)) (local.get $place)
            (i32.sub (local.get $next) (local.get $place)))
          (memory.copy (local.get $place) (local.get $spare) (local.get $size))))
        (local.set $next (i32.add (local.get $next) (local.get $size)))
        (br $again)))
    (global.set $stack (local.get $spare)))
  ;; Only the last word of each of these records is left, as a list that begins a word before them.
  (func $only_last (param $start i32) (param $count i32) (param $width i32) (result i32)
    (local $n i32)
    (local.set $start (i32.sub (local.get $start) (i32.const 8)))
    (i64.store (local.get $start) (i64.extend_i32_u (local.get $count)))
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $n) (local.get $count)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (i64.store (i32.add (local.get $start) (i32.shl (local.get $n) (i32.const 3)))
          (i64.load (i32.add (local.get $start)
            (i32.shl (i32.mul (local.get $n) (local.get $width)) (i32.const 3)))))
        (br $again)))
    (local.get $start))

  ;; ---------------------------------------------------------------- places and piles
  (func $pile (param $place i32) (result i32)
    (i32.add (i32.const @order@)
      (i32.mul (i32.sub (local.get $place) (i32.const @first_pile@)) (i32.const @pile_size@))))
  (func $is_pile (param $place i32) (result i32)
    (i32.ge_s (local.get $place) (i32.const @first_pile@)))
  (func $bit_address (param $place i32) (param $piece i32) (result i32)
    (i32.add
      (i32.add (i32.const @inside@) (i32.mul (local.get $place) (i32.const @inside_size@)))
      (i32.shl (i32.shr_u (local.get $piece) (i32.const 6)) (i32.const 3))))
  (func $crowd (param $place i32) (param $more i32)
    (local.set $place (i32.add (i32.const @crowds@) (i32.shl (local.get $place) (i32.const 2))))
    (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (local.get $more))))
  (func $put (param $piece i32) (param $place i32) (param $bottom i32)
    (local $old i32) (local $bit i64) (local $spot i32) (local $pile i32) (local $end i32)
    (if (i32.lt_s (local.get $piece) (i32.const 0)) (then (return)))
    (local.set $old @load_at@)
    (local.set $bit (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $piece))))
    (local.set $spot (call $bit_address (local.get $old) (local.get $piece)))
    (i64.store (local.get $spot) (i64.xor (i64.load (local.get $spot)) (local.get $bit)))
    (call $crowd (local.get $old) (i32.const -1))
    (if (call $is_pile (local.get $old)) (then
      (call $take_out (call $pile (local.get $old)) (local.get $piece))))
    @store_at@
    (local.set $spot (call $bit_address (local.get $place) (local.get $piece)))
    (i64.store (local.get $spot) (i64.or (i64.load (local.get $spot)) (local.get $bit)))
    (call $crowd (local.get $place) (i32.const 1))
    (if (call $is_pile (local.get $place)) (then
      (local.set $pile (call $pile (local.get $place)))
      (local.set $end (i32.shl (i32.load (local.get $pile)) (i32.const @piece_shift@)))
      (i32.store (local.get $pile) (i32.add (i32.load (local.get $pile)) (i32.const 1)))
      (local.set $pile (i32.add (local.get $pile) (i32.const 8)))
      (if (local.get $bottom) (then
        (local.set $pile (i32.add (local.get $pile) (local.get $end))))
      (else
        (memory.copy (i32.add (local.get $pile) (i32.const @piece_size@))
          (local.get $pile) (local.get $end))))
      (@store_piece@ (local.get $pile) (local.get $piece)))))
  (func $take_out (param $pile i32) (param $piece i32)
    (local $at i32) (local $end i32)
    (local.set $at (i32.add (local.get $pile) (i32.const 8)))
    (local.set $end (i32.add (local.get $at)
      (i32.shl (i32.load (local.get $pile)) (i32.const @piece_shift@))))
    (block $none
      (loop $again
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.ne (@load_piece@ (local.get $at)) (local.get $piece)) (then
          (local.set $at (i32.add (local.get $at) (i32.const @piece_size@)))
          (br $again))))
      (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const @piece_size@))
        (i32.sub (i32.sub (local.get $end) (local.get $at)) (i32.const @piece_size@)))
      (i32.store (local.get $pile) (i32.sub (i32.load (local.get $pile)) (i32.const 1)))))
  (func $shuffle (param $place i32)
    (local $pile i32) (local $last i32) (local $first i32) (local $second i32) (local $held i32)
    (if (i32.eqz (call $is_pile (local.get $place))) (then (return)))
    (local.set $pile (i32.add (call $pile (local.get $place)) (i32.const 8)))
    (local.set $last (i32.sub (i32.load (call $pile (local.get $place))) (i32.const 1)))
    (block $done
      (loop $again
        (br_if $done (i32.le_s (local.get $last) (i32.const 0)))
        (local.set $first (i32.add (local.get $pile) (i32.shl (local.get $last) (i32.const @piece_shift@))))
        (local.set $second (i32.add (local.get $pile) (i32.shl
          (i32.wrap_i64 (call $below (i64.extend_i32_u (i32.add (local.get $last) (i32.const 1)))))
          (i32.const @piece_shift@))))
        (local.set $held (@load_piece@ (local.get $first)))
        (@store_piece@ (local.get $first) (@load_piece@ (local.get $second)))
        (@store_piece@ (local.get $second) (local.get $held))
        (local.set $last (i32.sub (local.get $last) (i32.const 1)))
        (br $again))))
  (func $draw (param $place i32) (result i32)
    (local $pile i32) (local $other i32) (local $piece i32)
    (if (i32.eqz (call $is_pile (local.get $place))) (then (return (i32.const -1))))
    (local.set $pile (call $pile (local.get $place)))
    (if (i32.eqz (i32.load (local.get $pile))) (then
      (local.set $other (i32.load (i32.add (i32.const @refills@)
        (i32.shl (i32.sub (local.get $place) (i32.const @first_pile@)) (i32.const 2)))))
      (if (i32.ge_s (local.get $other) (i32.const 0)) (then
        (local.set $other (call $pile (local.get $other)))
        (block $done
          (loop $again
            (br_if $done (i32.eqz (i32.load (local.get $other))))
            (call $put (@load_piece@ offset=8 (local.get $other)) (local.get $place) (i32.const 1))
            (br $again)))
        (call $shuffle (local.get $place))))))
    (if (i32.eqz (i32.load (local.get $pile))) (then (return (i32.const -1))))
    (local.set $piece (@load_piece@ offset=8 (local.get $pile)))
    (if (i32.load8_u (i32.add (i32.const @bags@)
          (i32.sub (local.get $place) (i32.const @first_pile@)))) (then
      (local.set $piece (@load_piece@ offset=8 (i32.add (local.get $pile) (i32.shl
        (i32.wrap_i64 (call $below (i64.extend_i32_u (i32.load (local.get $pile)))))
        (i32.const @piece_shift@)))))))
    (call $put (local.get $piece) (i32.const -1) (i32.const 0))
    (local.get $piece))
  (func $draw_many (param $place i32) (param $count i64) (result i32)
    (local $list i32) (local $piece i32)
    (local.set $count (call $least (call $most (i64.const 0) (local.get $count)) (i64.const @pieces@)))
    (local.set $list (call $new_list (i32.wrap_i64 (local.get $count))))
    (block $done
      (loop $again
        (br_if $done (i64.eqz (local.get $count)))
        (br_if $done (i32.lt_s (local.tee $piece (call $draw (local.get $place))) (i32.const 0)))
        (call $append (local.get $list) (i64.extend_i32_s (local.get $piece)))
        (local.set $count (i64.sub (local.get $count) (i64.const 1)))
        (br $again)))
    (local.get $list))
  (func $top (param $place i32) (result i32)
    (local $pile i32)
    (if (i32.eqz (call $is_pile (local.get $place))) (then (return (i32.const -1))))
    (local.set $pile (call $pile (local.get $place)))
    (if (result i32) (i32.load (local.get $pile))
      (then (@load_piece@ offset=8 (local.get $pile)))
      (else (i32.const -1))))
"""


def runtime(layout: Layout, limits: Limits, more: dict[str, object]) -> str:
    """The functions, with the numbers of a game in them."""
    place = layout.at.entry("(local.get $piece)")
    access = {2: ("i32.load16_s", "i32.store16"), 4: ("i32.load", "i32.store")}
    load, store = access[layout.at.size]
    load_piece, store_piece = access[layout.piece_size]
    numbers: dict[str, object] = {
        "steps": limits.steps, "number": limits.number, "collection": limits.collection,
        "chance": layout.chance, "order": layout.order, "pile_size": layout.pile_size,
        "piece_size": layout.piece_size, "piece_shift": layout.piece_size.bit_length() - 1,
        "load_piece": load_piece, "store_piece": store_piece, "inside": layout.inside.address,
        "inside_size": layout.inside.size, "crowds": layout.crowds.address, "pieces": layout.at.count,
        "load_at": f"({load} {place})", "store_at": f"({store} {place} (local.get $place))",
    }  # fmt: skip
    return filled(FUNCTIONS + BOARD, {**numbers, **more})


def filled(text: str, numbers: dict[str, object]) -> str:
    """The text with numbers for the names between its @ signs."""
    for name, value in numbers.items():
        text = text.replace(f"@{name}@", str(value))
    assert "@" not in text, text[text.index("@") - 60 : text.index("@") + 20]
    return text

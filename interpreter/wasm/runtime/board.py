"""The functions that every module has for sets, for the board and for searches of it, written by hand."""

from __future__ import annotations

#: The names between @ signs stand for numbers of a game: see `runtime.filled`.
BOARD = """
  ;; ---------------------------------------------------------------- sets
  (func $bit (param $index i32) (result i64)
    (select
      (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $index)))
      (i64.const 0)
      (i32.lt_u (local.get $index) (i32.const 64))))
  (func $set_bit (param $set i32) (param $index i32) (param $size i32)
    (if (i32.lt_u (local.get $index) (local.get $size)) (then
      (local.set $set (i32.add (local.get $set)
        (i32.shl (i32.shr_u (local.get $index) (i32.const 6)) (i32.const 3))))
      (i64.store (local.get $set) (i64.or (i64.load (local.get $set))
        (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $index))))))))
  (func $has_bit (param $set i32) (param $index i32) (result i32)
    (i32.wrap_i64 (i64.and (i64.const 1) (i64.shr_u
      (i64.load (i32.add (local.get $set)
        (i32.shl (i32.shr_u (local.get $index) (i32.const 6)) (i32.const 3))))
      (i64.extend_i32_u (local.get $index))))))
  (func $absolute (param $a i64) (result i64)
    (select (local.get $a) (i64.sub (i64.const 0) (local.get $a)) (i64.ge_s (local.get $a) (i64.const 0))))
  (func $copied (param $from i32) (result i32)
    (local $new i32)
    (local.set $new (call $new_list (i32.load (local.get $from))))
    (memory.copy (local.get $new) (local.get $from)
      (i32.shl (i32.add (i32.load (local.get $from)) (i32.const 1)) (i32.const 3)))
    (local.get $new))
  (func $numbers (param $low i64) (param $high i64) (param $site i32) (result i32)
    (local $list i32) (local $count i64)
    (drop (call $bounded (i64.sub (local.get $high) (local.get $low)) (local.get $site)))
    (local.set $count (call $most (i64.const 0)
      (i64.add (i64.sub (local.get $high) (local.get $low)) (i64.const 1))))
    (call $spend (local.get $count) (local.get $site))
    (local.set $list (call $new_list (i32.wrap_i64 (local.get $count))))
    (block $done
      (loop $again
        (br_if $done (i64.gt_s (local.get $low) (local.get $high)))
        (call $append (local.get $list) (local.get $low))
        (local.set $low (i64.add (local.get $low) (i64.const 1)))
        (br $again)))
    (local.get $list))
  ;; Of sorted records those at the head whose words but for the last two are equal, as a list.
  (func $equally_good (param $start i32) (param $count i32) (param $width i32) (result i32)
    (local $n i32)
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $n) (local.get $count)))
        (br_if $done (i32.eqz (call $same_words (local.get $start)
          (i32.add (local.get $start)
            (i32.shl (i32.mul (local.get $n) (local.get $width)) (i32.const 3)))
          (i32.sub (local.get $width) (i32.const 2)))))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br $again)))
    (call $only_last (local.get $start) (local.get $n) (local.get $width)))

  ;; ---------------------------------------------------------------- the board
  (func $grid_of (param $place i32) (result i32)
    (i32.load (i32.add (i32.const @grids@) (i32.mul (local.get $place) (i32.const 12)))))
  ;; On one grid as printed; the sort of a grid is 0 for hexes, 1 for squares with diagonals, 2 for others.
  ;; Asked so often that it calls nothing.
  (func $distance (param $a i32) (param $b i32) (result i64)
    (local $one i32) (local $other i32)
    (local $grid i32) (local $along i32) (local $across i32) (local $sort i32)
    (if (i32.lt_s (i32.or (local.get $a) (local.get $b)) (i32.const 0)) (then
      (return (i64.const 1000000))))
    (local.set $one (i32.add (i32.const @grids@) (i32.mul (local.get $a) (i32.const 12))))
    (local.set $other (i32.add (i32.const @grids@) (i32.mul (local.get $b) (i32.const 12))))
    (local.set $grid (i32.load (local.get $one)))
    (if (i32.and (i32.ge_s (local.get $grid) (i32.const 0))
          (i32.eq (local.get $grid) (i32.load (local.get $other)))) (then
      (local.set $along
        (i32.sub (i32.load offset=4 (local.get $one)) (i32.load offset=4 (local.get $other))))
      (local.set $along (select (local.get $along) (i32.sub (i32.const 0) (local.get $along))
        (i32.ge_s (local.get $along) (i32.const 0))))
      (local.set $across
        (i32.sub (i32.load offset=8 (local.get $one)) (i32.load offset=8 (local.get $other))))
      (local.set $across (select (local.get $across) (i32.sub (i32.const 0) (local.get $across))
        (i32.ge_s (local.get $across) (i32.const 0))))
      (local.set $sort (i32.load (i32.add (i32.const @sorts@) (i32.shl (local.get $grid) (i32.const 2)))))
      (if (i32.eqz (local.get $sort)) (then
        (return (i64.extend_i32_s (i32.add (local.get $across) (select
          (i32.shr_u (i32.sub (local.get $along) (local.get $across)) (i32.const 1))
          (i32.const 0)
          (i32.gt_s (local.get $along) (local.get $across))))))))
      (if (i32.eq (local.get $sort) (i32.const 2)) (then
        (return (i64.extend_i32_s (i32.add (local.get $along) (local.get $across))))))
      (return (i64.extend_i32_s (select (local.get $along) (local.get $across)
        (i32.gt_s (local.get $along) (local.get $across)))))))
    (call $steps_between (local.get $a) (local.get $b)))
  ;; The fewest steps from neighbour to neighbour, from a row that is filled when it is first asked for.
  (func $steps_between (param $a i32) (param $b i32) (result i64)
    (local $row i32) (local $steps i32)
    (local.set $row (i32.add (i32.const @distances@)
      (i32.mul (local.get $a) (i32.const @distance_row@))))
    (if (i32.eqz (i32.load16_u (i32.add (local.get $row) (i32.shl (local.get $a) (i32.const 1))))) (then
      (call $fill_distances (local.get $a) (local.get $row))))
    (local.set $steps (i32.load16_u (i32.add (local.get $row) (i32.shl (local.get $b) (i32.const 1)))))
    (if (result i64) (local.get $steps)
      (then (i64.extend_i32_u (i32.sub (local.get $steps) (i32.const 1))))
      (else (i64.const 1000000))))
  (func $fill_distances (param $start i32) (param $row i32)
    (local $queue i32) (local $next i32) (local $end i32) (local $here i32) (local $near i32)
    (local $last i32) (local $spot i32)
    (local.set $queue (global.get $stack))
    (call $reserve (i32.const @distance_queue@))
    (local.set $next (local.get $queue))
    (local.set $end (i32.add (local.get $queue) (i32.const 4)))
    (i32.store (local.get $queue) (local.get $start))
    (i32.store16 (i32.add (local.get $row) (i32.shl (local.get $start) (i32.const 1))) (i32.const 1))
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $next) (local.get $end)))
        (local.set $here (i32.load (local.get $next)))
        (local.set $next (i32.add (local.get $next) (i32.const 4)))
        (local.set $near (i32.load (i32.add (i32.const @near@) (i32.shl (local.get $here) (i32.const 2)))))
        (local.set $last (i32.add (local.get $near) (i32.shl (i32.load (local.get $near)) (i32.const 3))))
        (block $looked
          (loop $more
            (br_if $looked (i32.ge_u (local.get $near) (local.get $last)))
            (local.set $near (i32.add (local.get $near) (i32.const 8)))
            (local.set $spot (i32.add (local.get $row)
              (i32.shl (i32.load (local.get $near)) (i32.const 1))))
            (br_if $more (i32.load16_u (local.get $spot)))
            (i32.store16 (local.get $spot) (i32.add (i32.const 1)
              (i32.load16_u (i32.add (local.get $row) (i32.shl (local.get $here) (i32.const 1))))))
            (i32.store (local.get $end) (i32.load (local.get $near)))
            (local.set $end (i32.add (local.get $end) (i32.const 4)))
            (br $more)))
        (br $again)))
    (global.set $stack (local.get $queue)))
  (func $area (param $space i32) (param $limit i64) (param $exactly i32) (param $into i32)
    (local $other i32) (local $away i64)
    (memory.fill (local.get $into) (i32.const 0) (i32.const @spaces_size@))
    (if (i32.lt_s (local.get $space) (i32.const 0)) (then (return)))
    (block $done
      (loop $again
        (br_if $done (i32.ge_s (local.get $other) (i32.const @places@)))
        (local.set $away (call $distance (local.get $space) (local.get $other)))
        (if (i32.and
              (i64.ne (local.get $away) (i64.const 1000000))
              (select
                (i64.eq (local.get $away) (local.get $limit))
                (i64.le_s (local.get $away) (local.get $limit))
                (local.get $exactly))) (then
          (call $set_bit (local.get $into) (local.get $other) (i32.const @places@))))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (br $again))))
  ;; A list of the places at most so far away; it is kept for good, and $table says where.
  (func $places_within (param $space i32) (param $limit i64) (param $table i32) (result i32)
    (local $list i32) (local $other i32) (local $spot i32)
    (local.set $spot (i32.add (local.get $table) (i32.shl (local.get $space) (i32.const 2))))
    (local.set $list (i32.load (local.get $spot)))
    (if (local.get $list) (then (return (local.get $list))))
    (local.set $list (global.get $heap))
    (i64.store (local.get $list) (i64.const 0))
    (block $done
      (loop $again
        (br_if $done (i32.ge_s (local.get $other) (i32.const @places@)))
        (if (i32.and (i32.ge_s (local.get $space) (i32.const 0))
              (i64.le_s (call $distance (local.get $space) (local.get $other)) (local.get $limit))) (then
          (call $append (local.get $list) (i64.extend_i32_s (local.get $other)))))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (br $again)))
    (global.set $heap (i32.add (local.get $list)
      (i32.shl (i32.add (i32.load (local.get $list)) (i32.const 1)) (i32.const 3))))
    (if (i32.gt_u (global.get $heap) (i32.const @heap_full@)) (then
      (global.set $heap (local.get $list))
      (return (local.get $list))))
    (i32.store (local.get $spot) (local.get $list))
    (local.get $list))
  (func $edge_between (param $a i32) (param $b i32) (result i32)
    (local $near i32) (local $last i32) (local $edge i32)
    (if (i32.lt_s (i32.or (local.get $a) (local.get $b)) (i32.const 0)) (then (return (i32.const -1))))
    (local.set $near (i32.load (i32.add (i32.const @near@) (i32.shl (local.get $a) (i32.const 2)))))
    (local.set $edge (i32.load (i32.add (i32.const @edges@) (i32.shl (local.get $a) (i32.const 2)))))
    (local.set $last (i32.add (local.get $near) (i32.shl (i32.load (local.get $near)) (i32.const 3))))
    (block $none
      (loop $again
        (br_if $none (i32.ge_u (local.get $near) (local.get $last)))
        (local.set $near (i32.add (local.get $near) (i32.const 8)))
        (local.set $edge (i32.add (local.get $edge) (i32.const 8)))
        (br_if $again (i32.ne (i32.load (local.get $near)) (local.get $b)))
        (return (i32.load (local.get $edge)))))
    (i32.const -1))
  ;; Goes on from the places of a queue by steps that are open, into places that are left, and takes these out
  ;; of the set; not on from places that halt (an address, 0 for none); how many places were found, with those
  ;; that were in the queue.
  (func $flood (param $left i32) (param $halts i32) (param $queue i32) (param $count i32) (param $steps i32)
      (param $limit i64) (result i32)
    (local $here i32) (local $level i32) (local $near i32) (local $last i32) (local $place i32)
    (local $spot i32) (local $word i64) (local $bit i64) (local $end i32) (local $final i32)
    (local.set $here (local.get $queue))
    (local.set $end (i32.add (local.get $queue) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $level (local.get $end))
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $here) (local.get $end)))
        (br_if $done (i64.le_s (local.get $limit) (i64.const 0)))
        (local.set $near (i32.load (i32.add (local.get $steps)
          (i32.shl (i32.load (local.get $here)) (i32.const 2)))))
        (local.set $last (i32.add (local.get $near) (i32.shl (i32.load (local.get $near)) (i32.const 3))))
        (block $looked
          (loop $more
            (br_if $looked (i32.ge_u (local.get $near) (local.get $last)))
            (local.set $near (i32.add (local.get $near) (i32.const 8)))
            (local.set $place (i32.load (local.get $near)))
            (local.set $spot (i32.add (local.get $left)
              (i32.shl (i32.shr_u (local.get $place) (i32.const 6)) (i32.const 3))))
            (local.set $word (i64.load (local.get $spot)))
            (local.set $bit (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $place))))
            (br_if $more (i64.eqz (i64.and (local.get $word) (local.get $bit))))
            (i64.store (local.get $spot) (i64.xor (local.get $word) (local.get $bit)))
            (if (local.get $halts) (then
              (if (i64.ne (i64.const 0) (i64.and (local.get $bit) (i64.load (i32.add (local.get $halts)
                    (i32.shl (i32.shr_u (local.get $place) (i32.const 6)) (i32.const 3)))))) (then
                (local.set $final (i32.add (local.get $final) (i32.const 1)))
                (br $more)))))
            (i32.store (local.get $end) (local.get $place))
            (local.set $end (i32.add (local.get $end) (i32.const 4)))
            (br $more)))
        (local.set $here (i32.add (local.get $here) (i32.const 4)))
        (if (i32.eq (local.get $here) (local.get $level)) (then
          (local.set $level (local.get $end))
          (local.set $limit (i64.sub (local.get $limit) (i64.const 1)))))
        (br $again)))
    (i32.add (local.get $final)
      (i32.shr_u (i32.sub (local.get $end) (local.get $queue)) (i32.const 2))))
  (func $take_cheapest (param $queue i32) (param $count i32) (param $costs i32) (result i32)
    (local $spot i32) (local $end i32) (local $best i32) (local $here i32) (local $cost i64)
    (local $lowest i64) (local $found i32)
    (local.set $spot (local.get $queue))
    (local.set $end (i32.add (local.get $queue) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $lowest (i64.const 0x7fffffffffffffff))
    (local.set $best (i32.const 0x7fffffff))
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $spot) (local.get $end)))
        (local.set $here (i32.load (local.get $spot)))
        (local.set $cost (i64.load (i32.add (local.get $costs) (i32.shl (local.get $here) (i32.const 3)))))
        (if (i32.or (i64.lt_s (local.get $cost) (local.get $lowest))
              (i32.and (i64.eq (local.get $cost) (local.get $lowest))
                (i32.lt_s (local.get $here) (local.get $best)))) (then
          (local.set $lowest (local.get $cost))
          (local.set $best (local.get $here))
          (local.set $found (local.get $spot))))
        (local.set $spot (i32.add (local.get $spot) (i32.const 4)))
        (br $again)))
    (i32.store (local.get $found) (i32.load (i32.sub (local.get $end) (i32.const 4))))
    (local.get $best))
  ;; What a look along the line between two places costs.
  (func $look_along (param $a i32) (param $b i32) (result i64)
    (local $steps i64)
    (if (i32.and (i32.ge_s (call $grid_of (local.get $a)) (i32.const 0))
          (i32.eq (call $grid_of (local.get $a)) (call $grid_of (local.get $b)))) (then
      (local.set $steps (call $distance (local.get $a) (local.get $b)))))
    (i64.add (i64.const 1)
      (i64.shr_u (i64.mul (local.get $steps) (local.get $steps)) (i64.const 3))))
  (func $may_see (param $a i32) (param $b i32) (result i32)
    (if (i32.lt_s (i32.or (local.get $a) (local.get $b)) (i32.const 0)) (then (return (i32.const 0))))
    (i32.or (i32.eq (local.get $a) (local.get $b))
      (i32.and (i32.ge_s (call $grid_of (local.get $a)) (i32.const 0))
        (i32.eq (call $grid_of (local.get $a)) (call $grid_of (local.get $b))))))

  ;; The steps that can block a line: each a number of spaces, then these; -1 behind the last.
  (func $barriers (param $a i32) (param $b i32) (result i32)
    (local $spot i32)
    (local.set $spot (i32.add (i32.const @seen@) (i32.shl
      (i32.add (i32.mul (local.get $a) (i32.const @places@)) (local.get $b)) (i32.const 2))))
    (if (i32.eqz (i32.load (local.get $spot))) (then
      (i32.store (local.get $spot) (call $find_barriers (local.get $a) (local.get $b)))))
    (i32.load (local.get $spot)))

  ;; ---------------------------------------------------------------- matching
  ;; How many of the right can be served at once: see geometry/matching.py, which this follows step by step.
  (func $match_size (param $n i32) (param $masks i32) (param $words i32) (param $sizes i32) (param $site i32)
      (result i64)
    (local $base i32) (local $holders i32) (local $counts i32) (local $receives i32) (local $queue i32)
    (local $bits i32) (local $right i32) (local $total i64) (local $next i32) (local $end i32)
    (local $offered i32) (local $left i32) (local $other i32) (local $row i32) (local $wanted i64)
    (local $word i32)
    (local.set $base (global.get $stack))
    (local.set $bits (i32.shl (local.get $words) (i32.const 6)))
    (local.set $row (i32.shl (local.get $words) (i32.const 3)))
    (local.set $holders (local.get $base))
    (local.set $queue (i32.add (local.get $holders) (i32.shl (local.get $bits) (i32.const 2))))
    (local.set $counts (i32.add (local.get $queue) (i32.shl (local.get $bits) (i32.const 3))))
    (local.set $receives (i32.add (local.get $counts) (i32.shl (local.get $n) (i32.const 2))))
    (call $reserve (i32.sub (i32.add (local.get $receives) (i32.shl (local.get $n) (i32.const 2)))
      (local.get $base)))
    (memory.fill (local.get $holders) (i32.const 255) (i32.shl (local.get $bits) (i32.const 2)))
    (memory.fill (local.get $counts) (i32.const 0) (i32.shl (local.get $n) (i32.const 2)))
    (block $all
      (loop $rights
        ;; those on the right whom nobody on the left wants are left out, a word of them at a time
        (if (i64.eqz (local.get $wanted)) (then
          (br_if $all (i32.ge_u (local.get $word) (local.get $words)))
          (local.set $wanted (call $united
            (i32.add (local.get $masks) (i32.shl (local.get $word) (i32.const 3)))
            (local.get $n) (local.get $row)))
          (local.set $word (i32.add (local.get $word) (i32.const 1)))
          (br $rights)))
        (local.set $right (i32.add (i32.wrap_i64 (i64.ctz (local.get $wanted)))
          (i32.shl (i32.sub (local.get $word) (i32.const 1)) (i32.const 6))))
        (local.set $wanted (i64.and (local.get $wanted) (i64.sub (local.get $wanted) (i64.const 1))))
        (block $served
          (memory.fill (local.get $receives) (i32.const 255) (i32.shl (local.get $n) (i32.const 2)))
          (local.set $next (local.get $queue))
          (i32.store (local.get $queue) (local.get $right))
          (local.set $end (i32.add (local.get $queue) (i32.const 4)))
          (loop $offers
            (br_if $served (i32.ge_u (local.get $next) (local.get $end)))
            (local.set $offered (i32.load (local.get $next)))
            (local.set $next (i32.add (local.get $next) (i32.const 4)))
            (call $spend (i64.extend_i32_u (local.get $n)) (local.get $site))
            (local.set $left (i32.const 0))
            (loop $lefts
              (br_if $offers (i32.ge_s (local.get $left) (local.get $n)))
              (block $pass
                (br_if $pass (i32.ge_s (i32.load (i32.add (local.get $receives)
                  (i32.shl (local.get $left) (i32.const 2)))) (i32.const 0)))
                (br_if $pass (i32.eqz (call $has_bit
                  (i32.add (local.get $masks) (i32.mul (local.get $left) (local.get $row)))
                  (local.get $offered))))
                (i32.store (i32.add (local.get $receives) (i32.shl (local.get $left) (i32.const 2)))
                  (local.get $offered))
                (if (i64.lt_s
                      (i64.extend_i32_s (i32.load (i32.add (local.get $counts)
                        (i32.shl (local.get $left) (i32.const 2)))))
                      (i64.load (i32.add (local.get $sizes) (i32.shl (local.get $left) (i32.const 3))))) (then
                  (call $move_along (local.get $left) (local.get $receives) (local.get $holders)
                    (local.get $counts))
                  (local.set $total (i64.add (local.get $total) (i64.const 1)))
                  (br $served)))
                (local.set $other (i32.const 0))
                (loop $held
                  (if (i32.eq (i32.load (i32.add (local.get $holders)
                        (i32.shl (local.get $other) (i32.const 2)))) (local.get $left)) (then
                    (i32.store (local.get $end) (local.get $other))
                    (local.set $end (i32.add (local.get $end) (i32.const 4)))))
                  (local.set $other (i32.add (local.get $other) (i32.const 1)))
                  (br_if $held (i32.lt_s (local.get $other) (local.get $bits)))))
              (local.set $left (i32.add (local.get $left) (i32.const 1)))
              (br $lefts))))
        (br $rights)))
    (global.set $stack (local.get $base))
    (local.get $total))
  ;; What any of $n sets has in the word at an address; from set to set it is $row bytes.
  (func $united (param $at i32) (param $n i32) (param $row i32) (result i64)
    (local $found i64)
    (block $done
      (loop $again
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $found (i64.or (local.get $found) (i64.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (local.get $row)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $again)))
    (local.get $found))
  (func $move_along (param $left i32) (param $receives i32) (param $holders i32) (param $counts i32)
    (local $spot i32) (local $before i32) (local $count i32)
    (loop $again
      (local.set $spot (i32.add (local.get $holders) (i32.shl
        (i32.load (i32.add (local.get $receives) (i32.shl (local.get $left) (i32.const 2))))
        (i32.const 2))))
      (local.set $before (i32.load (local.get $spot)))
      (i32.store (local.get $spot) (local.get $left))
      (local.set $count (i32.add (local.get $counts) (i32.shl (local.get $left) (i32.const 2))))
      (i32.store (local.get $count) (i32.add (i32.load (local.get $count)) (i32.const 1)))
      (if (i32.ge_s (local.get $before) (i32.const 0)) (then
        (local.set $count (i32.add (local.get $counts) (i32.shl (local.get $before) (i32.const 2))))
        (i32.store (local.get $count) (i32.sub (i32.load (local.get $count)) (i32.const 1)))
        (local.set $left (local.get $before))
        (br $again)))))
"""

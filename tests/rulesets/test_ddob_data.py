"""The data of "D-Day at Omaha Beach" against the facts: map, positions, counters, cards and set-up.

The facts stand here a second time on purpose, in the short codes of those who read them from the game, so
that a slip in the data shows; hence the length of this file. What rules do with the data is tested elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ddob_rules import load
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.loading import load_ruleset
from ddob_rules.scenarios.reading import load_scenario
from ddob_rules.scenarios.schema import enum_values
from interpreter.machine.game import Game
from interpreter.ir import Kind, Program, Type
from interpreter.machine.scenario import Scenario, Values
from tests.looping import each

RULESET = Path(__file__).parents[2] / "rulesets" / "ddob"

TERRAIN = """
pavilion: 0529 0530 0531 0627 0628 0707 0708 0721 0722 0723 0724 0725 0726 0727 0808 0809 0810 0811 0812
  0813 0814 0815 0816 0817 0818 0819 0820 0821
rough: 0335 0336 0603 0702 0704 0705 0706 0802 0805 0905
woods: 0807 0835 0931 0936 1016 1035 1112 1117 1130 1216 1311 1411 1414 1519 1521 1716 1807 1828 1921
buildings: 0433 0628 0630 0721 0725 0727 0813 0818 0822 0829 0830 0831 0832 0923 0929 0930 1001 1002 1021
  1022 1029 1030 1103 1104 1113 1119 1120 1121 1136 1207 1219 1220 1221 1309 1310 1320 1321 1322 1409 1410
  1419 1421 1433 1435 1511 1528 1533 1607 1608 1611 1612 1628 1630 1804 1808 1905 1908 2009
bocage: 0728 0733 0828 0833 0901 0902 0907 0908 0909 0914 0915 0926 0935 1003 1004 1008 1010 1013 1014
  1015 1024 1025 1026 1028 1031 1033 1034 1101 1107 1108 1110 1114 1115 1124 1125 1131 1132 1134 1201 1203
  1204 1209 1213 1214 1215 1217 1218 1222 1223 1229 1230 1302 1303 1307 1308 1313 1315 1316 1317 1319 1323
  1328 1330 1333 1334 1336 1401 1403 1404 1406 1407 1408 1412 1415 1416 1422 1423 1426 1427 1429 1430 1432
  1505 1514 1520 1524 1525 1526 1527 1535 1536 1603 1615 1616 1617 1618 1620 1624 1625 1627 1629 1633 1634
  1635 1702 1703 1705 1711 1713 1717 1718 1724 1725 1728 1732 1733 1734 1811 1812 1815 1816 1817 1818 1819
  1822 1824 1827 1830 1832 1904 1906 1911 1912 1914 1915 1916 1917 1922 1923 1927 1928 1932 2005 2006 2007
  2010 2011 2013 2014 2015 2016 2017 2018 2024 2027 2028 2030
"""

DRAWS = """
E_3: 0910 0911 1011 1112 1211 1311 1312 1411
E_1: 0917 1016 1117 1216
D_3: 0822 0923 1021 1022 1121 1123
D_1: 0630 0731
"""

SIDES = """
sheer_cliff: 0234|0335 0235|0335 0235|0336 0334|0335 0334|0434 0504|0603 0603|0604 0604|0704 0604|0705
  0605|0705 0605|0706 0606|0706 0606|0707
scaleable_cliff: 0333|0433 0334|0433 0431|0532 0432|0433 0432|0532 0432|0533 0607|0707 0607|0708
seawall: 0428|0529 0429|0529 0429|0530 0528|0529 0528|0628 0624|0724 0624|0725 0625|0725 0625|0726
at_ditch: 0716|0816 0717|0816 0717|0817 0718|0817 0722|0822 0723|0822 0810|0910 0810|0911 0811|0911
  0815|0816 0817|0818 0821|0822
at_wall: 0530|0630 0531|0630
mined: 0530|0630 0630|0731 0723|0822 0731|0830 0811|0911 0815|0816 0816|0917 0817|0818 0817|0917 0822|0923
  0911|1011 0917|1017 0923|1022 1011|1112 1017|1118 1021|1022 1112|1211 1211|1311
"""

BOXES = """
- 0505 0605 - | - 0506 0606 - | - 0507 0607 - | FG1 0508 0608 0709 | FG2 0509 0609 0710
FG3 0510 0610 0711 | FG4 0511 0611 0712 | FG5 0512 0612 0713 | ER1 0513 0613 0714 | ER2 0514 0614 0715
ER3 0515 0615 0716 | ER4 0516 0616 0717 | ER5 0517 0617 0718 | ER6 0518 0618 0719 | - 0418 0619 0720
EG1 0419 0520 0620 | EG2 0420 0521 0621 | EG3 0421 0522 0622 | DR1 0422 0523 0623 | DR2 0423 0524 0624
DR3 0424 0525 0625 | DW1 0425 0526 0626 | DW2 0326 0426 0527 | DW3 0327 0427 0528 | DG1 0227 0328 0428
DG2 0228 0329 0429 | DG3 0229 0330 0430 | DG4 0230 0331 0431 | CH1 0231 0332 0432 | CH2 0232 0333 -
CH3 0233 0334 -
"""

POSITIONS = """
A1 1008 red E 3/4/6 | A2 1110 blue E 4/2/7 | A3 0907 brown E 4/3/3 | A4 1310 purple E* 0/6/2
A5 1004 orange E* 3/7/1 | A6 1309 orange E* 1/5/2 >A2 | A7 1207 green E* 2/6/2 >A1 | A8 1002 blue E* 2/5/2
A9 1204 purple E* 4/5/4 >A5 | B1 1407 brown E* 2/6/2 >A7 >A6 | B2 1403 red E* 4/4/6 >A9
B3 1607 blue E 5/6/5 >B1 | B4 1505 orange E 5/4/4 | B5 1302 brown E* 3/4/3 | B6 1703 green E* 4/6/3
B7 1808 red E 4/4/3 >B3 | B8 2009 brown E 3/1/4 >B7 | B9 1905 purple E 2/6/1 | C1 1113 brown E 2/6/3
C2 1215 orange E 1/5/2 >P1014 | C3 1313 red E 3/4/7 >C1 | C4 1511 green E* 3/4/4 >A4
C5 1514 brown E* 5/3/6 >C3 | C6 1612 orange E* 4/3/7 | C7 1615 purple E* 4/3/6 >D5
C8 1814 red E* 3/3/4 >C7 | C9 1916 green E* 0/6/0 >C8 | C10 1912 blue E 2/4/2 | D1 1122 blue W 1/5/8
D2 1217 brown E 2/8/4 | D3 1319 green E* 2/5/3 >P1119 | D4 1321 orange W* 1/5/3 | D5 1416 blue E* 3/6/3
D6 1521 purple W* 3/4/4 >D4 | D7 1519 red E* 3/5/3 >D3 | D8 1617 orange E* 2/6/2 >D5
D9 1921 blue W* 5/3/2 | D10 1822 green W* 4/6/3 | D11 1819 brown W 5/3/5 | E1 1125 orange W* 2/6/1 >P1024
E2 1028 green W* 4/4/4 >P0828 | E3 1223 green W* 3/4/5 | E4 1026 purple W* 3/7/1 | E5 1328 red W* 5/2/5
E6 1524 blue W 3/5/2 | E7 1527 green W* 1/6/1 >E5 | E8 1625 brown W* 2/4/3 | E9 1825 purple W* 4/5/4 >E8
E10 1724 red W 3/4/3 >E8 | E11 2024 orange W* 4/1/3 >E9 | F1 1229 brown W* 3/4/4 >E2
F2 1430 blue W 4/5/4 >F1 | F3 1628 orange W 2/5/2 >E7 | F4 1333 green W 3/5/2 >G6
F5 1827 blue W 2/4/2 >E9 | F6 1533 red W 3/5/4 >F4 | F7 1630 purple W 5/5/4 >F2 | F8 1435 purple W 2/4/2
F9 1734 orange W 3/5/2 >F6 | G1 0635 purple W* 5/3/2 >P0434 | G2 0832 red W* 2/6/3 >P0732
G3 0830 brown W* 2/5/2 | G4 0834 green W* 2/7/3 >G2 | G5 1030 purple W* 0/6/0 >G3
G6 1132 orange W 4/4/4 >G5 | G7 1033 blue W 4/4/5 >G2 | G8 1035 brown W 1/5/1 >G4
P1014 1014 purple E 0/6/0 | P1119 1119 purple E 3/8/1 | P1024 1024 red W* 3/6/2 | P0828 0828 blue W* 3/6/1
P0732 0732 orange W* 2/5/2 | P0434 0434 brown W 3/5/2 | WN60 0807 purple E 1/16/5
WN61 0809 orange E 5/14/2 | WN62 0812+0912 green E 7/17/4 | WN64 0916 blue E 4/14/3
WN65 0817+0918 red E 8/19/3 | WN66 0821+0922 brown W 7/18/3 | WN67 1220 red W 0/6/1
WN68 0723+0823 orange W 7/18/7 | WN69 1222 brown W 2/4/2 | WN70 0728 red W 3/15/4
WN71 0629 green W 5/14/7 | WN72 0531+0631 purple W 5/15/4 | WN73 0533 blue W 2/9/3
"""

US_UNITS = """
A/1/16 1 inf 6 ER D 6/4/2 0 BZ+BG+RD/BZ | B/1/16 1 inf 6 ER T 6/4/2 0 BZ+BR+DE/DE
C/1/16 1 inf 6 ER C 6/4/2 0 BG+MO+BR/BG | D/1/16 1 heavy 7 ER T 7/4/2 2 DE+MG+MO/MG
E/2/16 1 inf 1 ER6 D 6/4/2 0 BZ+BG+RD/BG | F/2/16 1 inf 1 ER3 T 6/4/2 0 BZ+BR+DE/BR
G/2/16 1 inf 3 ER2 C 6/4/2 0 BG+MO+BR/MO | H/2/16 1 heavy 4 ER4 D 7/4/2 2 DE+MG+MO/DE
I/3/16 1 inf 1 FG2 D 6/4/2 0 BZ+BG+RD/RD | K/3/16 1 inf 3 FG4 T 6/4/2 0 BZ+BR+DE/BZ
L/3/16 1 inf 1 FG5 C 6/4/2 0 BG+MO+BR/BR | M/3/16 1 heavy 4 FG4 C 7/4/2 2 DE+MO+MG/MO
A/1/18 1 inf 20 1st D 6/4/2 0 BZ+BG+RD/BZ | B/1/18 1 inf 20 1st T 6/4/2 0 BZ+BR+DE/DE
C/1/18 1 inf 20 1st C 6/4/2 0 BG+MO+BR/BG | D/1/18 1 heavy 20 1st D 7/4/2 2 DE+MG+MO/MG
E/2/18 1 inf 16 1st C 6/4/2 0 BZ+BG+RD/BG | F/2/18 1 inf 16 1st D 6/4/2 0 BZ+BR+DE/BR
G/2/18 1 inf 16 1st T 6/4/2 0 BG+MO+BR/MO | H/2/18 1 heavy 16 1st C 7/4/2 2 DE+MG+MO/DE
I/3/18 1 inf 22 1st T 6/4/2 0 BZ+BG+RD/RD | K/3/18 1 inf 22 1st C 6/4/2 0 BZ+BR+DE/BZ
L/3/18 1 inf 22 1st D 6/4/2 0 BG+MO+BR/BR | M/3/18 1 heavy 22 1st T 7/4/2 2 DE+MO+MG/MO
A/1/115 29 inf 16 29th C 6/4/2 0 BZ+BG+RD/BZ | B/1/115 29 inf 16 29th D 6/4/2 0 BZ+DE+BR/DE
C/1/115 29 inf 16 29th T 6/4/2 0 MO+BG+BR/BG | D/1/115 29 heavy 16 29th C 7/4/2 2 MO+DE+MG/MG
E/2/115 29 inf 16 29th D 6/4/2 0 BZ+BG+RD/BG | F/2/115 29 inf 16 29th T 6/4/2 0 BZ+DE+BR/BR
G/2/115 29 inf 16 29th C 6/4/2 0 MO+BG+BR/MO | H/2/115 29 heavy 16 29th D 7/4/2 2 MO+DE+MG/DE
I/3/115 29 inf 19 29th T 6/4/2 0 BZ+BG+RD/RD | K/3/115 29 inf 19 29th C 6/4/2 0 BZ+DE+BR/BZ
L/3/115 29 inf 19 29th D 6/4/2 0 MO+BG+BR/BR | M/3/115 29 heavy 19 29th T 7/4/2 2 MO+DE+MG/MO
A/1/116 29 inf 1 DG4 C 6/4/2 0 BZ+BG+RD/BZ | B/1/116 29 inf 3 DG2 C 6/4/2 0 BZ+DE+BR/DE
C/1/116 29 inf 4 DG1 D 6/4/2 0 MO+BG+BR/BG | D/1/116 29 heavy 4 DG3 T 7/4/2 2 MO+DE+MG/MG
E/2/116 29 inf 1 EG3 C 6/4/2 0 BZ+BG+RD/BG | F/2/116 29 inf 1 DR2 T 6/4/2 0 BZ+DE+BR/BR
G/2/116 29 inf 1 DW3 D 6/4/2 0 MO+BG+BR/MO | H/2/116 29 heavy 3 DR1 D 7/4/2 2 MO+DE+MG/DE
I/3/116 29 inf 4 DR2 T 6/4/2 0 BZ+BG+RD/RD | K/3/116 29 inf 4 DW2 C 6/4/2 0 BZ+DE+BR/BZ
L/3/116 29 inf 4 EG2 D 6/4/2 0 MO+BG+BR/BR | M/3/116 29 heavy 5 DR T 7/4/2 2 MO+DE+MG/MO
C/2R 29 ranger 1 CH2 T 3/2 0 BR+BG | A-B/2R 29 ranger 5 DG* D 5/3 0 BZ+BG+RD
A-B/5R 29 ranger 6 DG* T 5/3 0 BZ+BG+RD | C-D/5R 29 ranger 6 DG* C 5/3 0 BZ+DE+BR
E-F/5R 29 ranger 6 DG* D 5/3 0 MO+BG+BR | 1/A/741 1 tank 1 FG4 T 4/2 5 | 2/A/741 1 tank 1 ER2 C 4/2 5
1/B/741 1 tank 0 FG2 D 4/2 5 | 2/B/741 1 tank 0 FG5 T 4/2 5 | 1/C/741 1 tank 0 ER3 C 4/2 5
2/C/741 1 tank 0 ER5 D 4/2 5 | 1/A/743 29 tank 1 DR3 D 4/2 5 | 2/A/743 29 tank 1 EG2 T 4/2 5
1/B/743 29 tank 0 DG2 T 4/2 5 | 2/B/743 29 tank 0 DG3 C 4/2 5 | 1/C/743 29 tank 0 DW1 D 4/2 5
2/C/743 29 tank 0 DW3 C 4/2 5 | 1-2/397 1 AA 3 FG5 D 4/2 3 | 3-4/397 29 AA 3 EG3 D 4/2 3
5-6/397 29 AA 3 DW3 T 4/2 3 | A-B/197 1 SPAA 9 FG C 3/1 3 | C-D/197 1 SPAA 9 ER D 3/1 3
A-B/467 29 SPAA 9 EG C 3/1 3 | C-D/467 29 SPAA 9 DW T 3/1 3 | A-C/81C 1 art 5 FG T 4/2 U
B-D/81C 29 art 5 DW C 4/2 U | 62AFA 1 SPart 7 FG C 9/6/4/2 U | 58AFA 29 SPart 7 DW D 9/6/4/2 U
7FA 1 DUKW 8 ER D 9/6/4/2 U | 111FA 29 DUKW 8 EG T 9/6/4/2 U | Can/16 1 DUKW 8 ER C 3/1 U
Can/116 29 DUKW 8 DW C 3/1 U | AT/16 1 AT 9 ER T 2 5 | AT/18 1 AT 23 1st C 2 5
AT/115 29 AT 20 29th D 2 5 | AT/116 29 AT 9 DR D 2 5 | 16_HQ 1 HQ 7 FG - - 0 | 18_HQ 1 HQ 22 1st - - 0
115_HQ 29 HQ 19 29th - - 0 | 116_HQ 29 HQ 5 DW - - 0 | Wyman 1 Gen 10 1st - - 0 | Cota 29 Gen 5 DW - - 0
"""

GERMAN_COUNTERS = """
garrisons(no_gun): 1 BG, 1 BG, 1 BG, 1 BR, 1 BZ, 1 MO BR, 2 BG, 2 BZ BR, 2 BZ
garrisons(gun_75): 1 MO BZ, 2 BG BZ, 2 BG MG, 2 MO MG, 3 BG BR, 3 BG BZ
garrisons(gun_88): 2 BG MO, 2 BZ MG
garrisons(rockets): 1 MO BZ
tactical_reserve: 1/1/726 1 BR, 3/1/726 2 BR, 9/3/726 3 FL, 10/3/726 1 BZ BR, 11/3/726 1 BZ, 5/2/916 4 FL
  BR, 6/2/916 2 FL BZ, 7/2/916 4 FL BZ, 8/2/916 3 BZ BR
division_reserve: 1P/352 3 FL BR, 2P/352 3 FL BZ, 3P/352 3 BZ BR, 1R/352 3 FL, 2R/352 3 BZ, 3R/352 3 BR,
  2/1/726 3 BR, 5/2/915 4 BZ FL, 6/2/915 4 FL BZ, 7/2/915 4 FL BR, 8/2/915 4 BR BZ
meyer_reserve: 1/Fus/352 3 FL BR, 2/Fus/352 3 FL, 3/Fus/352 3 BZ BR, 4/Fus/352 3 BZ, 1/1/915 4 FL BZ,
  2/1/915 4 FL, 3/1/915 4 FL BZ, 4/1/915 4 BR
wn_depth: 1 AR, 1 NA, 1 RD, 1 AR RD, 1 DE, 1 DE, 1 AR DE, 2 AR RD, 2 AR, 2 NA, 2 DE, 2 RD, 2, 3 AR, TR,
  TR, TR, TR
building_depth: 1 NA, 1 AR DE, 2 FL DE, 2 RD DE, 2 NA, 2 FL AR, 3 NA, 3 RD DE
mobile_depth: 1 FL RD, 1 FL RD, 1 AR RD, 1 MG, 1 RD, 1 AR, 1 AR, 1 DE, 1 MO, 1 FL MO, 1 MG MO, 2 MG, 2 MG,
  2 MG MO, 2 MG FL, 2 RD MO, 2 RD FL, 2 AR, 2 AR, 2 DE FL, 2 FL, 3 MG FL, 3 RD MO, 3 AR
"""

CARDS = """
01 AAC* 2orange:F 2red:A 1purple:R D -; 2-10 R:EG; 11-20 R:CDE; 21-31 UNDIS
02 AAB 2orange:A 1red:L 1purple:R C -; 2-10 R:ACG; 11-20 PLUNGE; 21-31 NAVAL
03 CAA 2orange:R 2red:P 1blue:O T -; 2-10 SMOKE:72,73; 11-20 R:BDE; 21-31 STEP_SUP:1
04 AAB 1orange:M 2red:O 1blue:R C 3:75/88/105; 2-10 NAVAL+R:E; 11-31 STEP_SUP:29
05 BAA 1orange:L 1red:R 2green:A D -; 2-10 MEEM; 11-20 UNDIS; 21-31 STEP_BOAT:29
06 BAA 1orange:P 1red:M 2green:R T 2:88/105; 2-20 NAVAL+R:C; 21-31 SNIPE:16
07 ACA 2orange:A 1red:R 2brown:L T -; 2-20 HERO:1+D; 21-31 NAVHIT:D=WN62S,T=A4,C=C1
08 BAA 2orange:P 1red:O 1brown:R C -; 2-20 GI; 21-31 NAVHIT:D=WN66S,T=A6,C=G5
09 ADA 1orange:O 2purple:R 1blue:M D -; 2-10 SMOKE:66,68; 11-20 R:ADE; 21-31 CONC:C,D
10 ABA 1orange:O 2purple:A 1blue:R T -; 2-10 SMOKE:62; 11-20 UNDIS; 21-31 R:AG
11 DAB 2orange:P 1purple:L 1green:R T -; 2-10 SMOKE:64,65; 11-20 R:CEF; 21-31 R:BE
12 ABA* 1orange:R 2purple:P 2green:L C -; 2-10 HERO:29+D; 11-20 ENGSTOP; 21-31 CONC:C,T
13 ABD 2orange:O 1purple:R 1brown:M D -; 2-10 R:AD; 11-20 R:ACDE; 21-31 R:CE
14 BAD 1orange:R 2blue:F 2green:P T 1:88; 2-10 SMOKE:60,61; 11-31 NAVAL
15 BDA 2orange:L 2blue:R 1green:P C -; 2-10 R:CG; 11-20 R:ADF; 21-31 SNIPE:116
16 ADB 1orange:M 1blue:R 2brown:A D -; 2-10 SMOKE:70,71; 11-31 GI
17 DAB 1orange:R 1blue:P 2brown:A C -; 2-10 GI; 11-20 PLUNGE; 21-31 NAVAL
18 DBA 1orange:R 1green:M 2brown:O T -; 2-20 GI; 21-31 STEP_BOAT:1
19 ABD 2orange:A 1green:L 2brown:F D -; 2-10 R:CG; 11-20 R:BDG; 21-31 R:CG
20 BAD 1red:M 1purple:P 2blue:L D -; 2-10 DEPTH2; 11-31 R:ACG
21 BDA 2red:A 1purple:R 1blue:M C -; 2-20 HERO:1+D; 21-31 NAVAL
22 ADB* 1red:R 2purple:O 1green:M D -; 2-10 R:AD; 11-31 MEEM
23 DAB 2red:R 2purple:F 1brown:M T 4:75/88/105; 2-20 DEPTH1; 21-31 UNDIS
24 DBA 1red:M 2purple:A 2green:O T -; 2-10 DEPTH2; 11-20 R:BDE; 21-31 CONC:D,T
25 ABD 2red:F 1blue:R 2green:F C 4:75/88/105; 2-20 HERO:1+D; 21-31 R:BD
26 BAC* 2red:A 1purple:O 2brown:R C -; 2-10 DEPTH1; 11-20 R:CDG; 21-31 STEP_BOAT:1
27 BCA 2red:A 1blue:L 2green:A T -; 2-20 DEPTH1; 21-31 UNDIS
28 ACB 1red:O 2blue:A 1brown:L D -; 2-20 HERO:29+D; 21-31 R:CD
29 CAB 2red:L 2blue:A 1brown:R T -; 2-10 DEPTH1; 11-20 R:CDG; 21-31 CONC:D,T
30 CBA 2red:R 2green:A 1brown:O D -; 2-10 DEPTH2; 11-31 HERO:29
31 ABC 1red:R 2green:O 2brown:P C -; 2-10 HERO:29+D; 11-20 R:BDG; 21-31 R:DE
32 BAC* 1purple:O 1blue:R 2green:O D -; 2-10 DEPTH1; 11-31 KGM
33 BCA 1purple:M 2blue:R 2green:P C -; 2-10 DEPTH1; 11-31 ROCKDEST
34 ACB 1purple:M 2blue:A 1brown:R D -; 2-10 HERO:1; 11-20 R:ACE; 21-31 UNDIS
35 CAB 1purple:M 2blue:O 2brown:P T -; 2-20 HERO:1+D; 21-31 CONC:D,C
36 CBA 2purple:O 1green:M 2brown:A T -; 2-10 DEPTH1; 11-20 PATROL:29; 21-31 UNDIS
37 ABC* 2purple:L 2green:A 1brown:R C 2:88/105; 2-20 DEPTH1; 21-31 R:DE
38 BAC 2blue:O 2green:R 1brown:M D -; 2-10 DEPTH2; 11-20 R:ACE; 21-31 HERO:1
39 BCA 1blue:M 1green:O 2brown:R C -; 2-10 INTENSE; 11-20 NAVAL; 21-31 DEPTH2
40 ACB 2orange:O 1green:R 1brown:P D 5:75/88/105; 2-20 DEPTH1; 21-31 R:EF
41 CAB 2orange:A 2red:O 1green:R D -; 2-20 HERO:29+D; 21-31 UNDIS
42 CBA* 1orange:R 2purple:A 1blue:O D 1:88; 2-10 HERO:29+D; 11-31 DEPTH2
43 ABC 2red:A 1purple:M 2blue:P D -; 2-10 DEPTH1; 11-20 UNDIS; 21-31 R:AF
44 BAC 2red:P 1green:R 1brown:M D -; 2-20 DEPTH1; 21-31 CONC:C,T
45 BCA 2orange:O 1red:M 2purple:A C 2:88; 2-10 INTENSE; 11-31 R:CEF
46 ACB 1orange:M 2purple:R 2brown:A C 4:75/88/105; 2-10 R:AG; 11-31 DEPTH2
47 CAB 2orange:A 2blue:O 1green:M C 3:75/88/105; 2-10 R:D; 11-31 DEPTH2
48 CBA 1orange:R 2blue:A 2brown:O C 5:75/88/105; 2-10 HERO:1+D; 11-31 DEPTH2
49 ABC 1red:P 2purple:A 1brown:O C -; 2-20 HERO:29+D; 21-31 PATROL:1
50 BAC 2purple:P 2blue:A 1green:R T -; 2-20 DEPTH1; 21-31 KGM
51 BCA 1orange:M 2red:O 1brown:R T -; 2-10 R:AD; 11-20 R:AEG; 21-31 DEPTH2
52 ACB* 1red:R 2purple:O 1blue:M T -; 2-20 R:E; 21-31 NAVHIT:D=WN72S,T=G3,C=WN67
53 CAB* 2blue:P 1green:O 2brown:A T -; 2-10 R:AE; 11-20 PRISONER:1; 21-31 R:D
54 CBA 1purple:R 2green:A 2brown:O T -; 2-10 R:DG; 11-20 R:CDE; 21-31 PRISONER:29
"""

SIDE_COUNTS = {"bluff": 58, "slope": 51, "shingle": 38, "hedge": 169}
EXITS = {"A": "1001", "B": "1902", "C": "2015", "D": "2022", "E": "2025", "F": "1435", "G": "0635"}
ROW_ENDS = {1: (34, 36), 2: (27, 35), 3: (26, 36), 4: (18, 35), 5: (4, 36), 6: (3, 35), 20: (3, 33)}
GUNS = {
    "gun_88": "0809 0631",
    "gun_75": "0807 0912 0918 0823 0728 0533",
    "rockets": "1222",
    "no_gun": "0812 0916 0817 0821 0922 1220 0723 0629 0531",
}
OBSERVERS = {
    "east-105": ("east", {"WN60", "WN61", "WN62", "A6"}),
    "east-88": ("east", {"WN64", "WN65", "WN67"}),
    "west-105": ("west", {"WN66", "WN68", "D4"}),
    "west-88": ("west", {"WN70", "WN71", "WN72", "G3"}),
}
WEAPONS = {
    "BZ": "bazooka",
    "BG": "bangalore",
    "BR": "browning",
    "DE": "demolition",
    "MO": "mortar",
    "RD": "radio",
    "MG": "machine_gun",
    "AR": "artillery",
    "NA": "naval",
    "FL": "flanking",
}
BRANCHES = {
    "inf": "infantry",
    "heavy": "infantry",
    "ranger": "ranger",
    "tank": "tank",
    "art": "field_artillery",
    "SPart": "armoured_artillery",
    "DUKW": "amphibious_artillery",
    "AA": "anti_aircraft",
    "SPAA": "armoured_anti_aircraft",
    "AT": "anti_tank",
    "HQ": "headquarters",
    "Gen": "general",
}
BEACHES = {
    "FG": "fox_green",
    "ER": "easy_red",
    "EG": "easy_green",
    "DR": "dog_red",
    "DW": "dog_white",
    "DG": "dog_green",
    "CH": "charlie",
}
SYMBOLS = {"D": "diamond", "T": "triangle", "C": "circle"}
DIVISIONS = {"1": "first", "29": "twenty_ninth"}
HAPPENINGS = {
    "R": "reinforcements",
    "NAVAL": "naval_marker",
    "NAVAL+R": "naval_marker",
    "DEPTH1": "one_depth",
    "DEPTH2": "depth_in_each_sector",
    "HERO": "hero_arrives",
    "UNDIS": "germans_rally",
    "PLUNGE": "plunging_fire",
    "SMOKE": "smoke",
    "GI": "initiative",
    "INTENSE": "intense_defence",
    "MEEM": "rocket_attack",
    "ROCKDEST": "rockets_destroyed",
    "CONC": "concealed_germans",
    "NAVHIT": "stray_naval_fire",
    "STEP_BOAT": "boat_teams",
    "STEP_SUP": "support_soldiers",
    "ENGSTOP": "engineers_limited",
    "KGM": "meyer_released",
    "PATROL": "patrol_report",
    "PRISONER": "prisoner_talks",
    "SNIPE": "snipers",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """A scenario with its values as their names, by kind and id."""

    scenario: Scenario
    kinds: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    edges: dict[str, dict[str, Any]] = field(default_factory=dict)

    def of(self, kind: str) -> dict[str, dict[str, Any]]:
        return self.kinds[kind]

    def where(self, kind: str, **wanted: Any) -> set[str]:
        """The ids of those whose attributes have the wanted values."""
        items = self.kinds[kind].items()
        return {name for name, item in items if all(item.get(key) == wanted[key] for key in wanted)}

    def with_side(self, side: str) -> set[str]:
        return {pair for pair, edge in self.edges.items() if side in edge.get("sides", ())}


@cache
def data_of(name: str) -> Data:
    """A scenario of the ruleset, which must load without a finding."""

    def program_for(ruleset: str, overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
        extra = (path,) if (path := RULESET / "scenarios" / f"{name}.rules").is_file() else ()
        loaded = load_ruleset(str(RULESET), overlays, extra)
        programs.append(loaded.program)
        return loaded.program, loaded.problems

    programs: list[Program | None] = []
    scenario, problems = load_scenario(RULESET / "scenarios" / f"{name}.yaml", program_for)
    assert scenario is not None and programs[0] is not None, [problem.message for problem in problems]
    assert problems == []
    program = programs[0]
    kinds = {kind.name: kind for kind in program.kinds if kind.owner in ("space", "piece", "card", "edge")}
    data = Data(scenario=scenario)
    for space in scenario.spaces:
        data.kinds.setdefault(space.kind, {})[space.id] = _named(program, kinds[space.kind], space.values)
    for piece in scenario.pieces:
        values = _named(program, kinds[piece.kind], piece.values)
        data.kinds.setdefault(piece.kind, {})[piece.id] = {**values, "at": piece.at}
    for edge in scenario.edges:
        data.edges[f"{edge.first}|{edge.second}"] = _named(program, kinds[edge.kind], edge.values)
    return data


def _named(program: Program, kind: Kind, values: Values) -> dict[str, Any]:
    types = {attribute.name: attribute.type for attribute in kind.attributes}
    return {name: _name(program, types[name], value) for name, value in values}


def _name(program: Program, wanted: Type, value: Any) -> Any:
    """A value as the data files write it; sets are sets, lists are lists."""
    element = wanted.element
    if wanted.tag == "enum":
        return enum_values(program, wanted.names[0])[value]
    if wanted.tag == "set" and element is not None and element.tag == "enum":
        names = enum_values(program, element.names[0])
        return {name for index, name in enumerate(names) if value >> index & 1}
    if wanted.tag == "set":
        return set(value)
    if wanted.tag == "list" and element is not None:
        return [_name(program, element, item) for item in value]
    return value


@pytest.fixture(scope="module")
def data() -> Data:
    return data_of("first-waves")


def lists(text: str) -> dict[str, list[str]]:
    """`name: a b c` over several lines, as a list by name."""
    found: dict[str, list[str]] = {}
    name = ""
    for word in text.split():
        if word.endswith(":"):
            name = word[:-1]
        else:
            found.setdefault(name, []).append(word)
    return found


def entries(text: str) -> list[list[str]]:
    """Entries apart by `|` or on lines of their own, each in words."""
    return [entry.split() for line in text.strip().splitlines() for entry in line.split(" | ")]


def weapons(codes: str) -> set[str]:
    return {WEAPONS[code] for code in re.findall(r"[A-Z]{2}", codes)}


def place(name: str) -> tuple[int, int]:
    return int(name[:2]), int(name[2:])


def apart(first: str, second: str) -> int:
    """Hexes from one to the other: rows, and slanting columns."""
    (row, column), (other_row, other_column) = place(first), place(second)
    rows = other_row - row
    columns = (other_column - (other_row - 1) // 2) - (column - (row - 1) // 2)
    return max(abs(rows), abs(columns), abs(rows + columns))


def dots(position: dict[str, Any]) -> set[str]:
    return set().union(*(position[intensity] for intensity in ("intense", "steady", "sporadic")))


# ------------------------------------------------------------------ the map


def test_the_map_has_its_600_hexes_in_twenty_rows(data: Data) -> None:
    ends = {row: ROW_ENDS.get(row, (1, 36 if row % 2 else 35)) for row in range(1, 21)}
    expected = {f"{row:02}{column:02}" for row in ends for column in range(ends[row][0], ends[row][1] + 1)}
    assert set(data.of("hex")) == expected
    assert len(expected) == 600


def test_the_sector_line_runs_along_the_columns(data: Data) -> None:
    east = {name for name in data.of("hex") if place(name)[1] <= (19 if place(name)[0] % 2 else 18)}
    assert data.where("hex", sector="east") == east


def test_the_sea_is_beyond_the_ends_of_the_beach(data: Data) -> None:
    assert data.where("hex", ground="sea") == {"0134", "0504"}


@pytest.mark.parametrize("ground", ["pavilion", "rough"])
def test_low_and_rough_ground_is_where_it_was_read(data: Data, ground: str) -> None:
    assert data.where("hex", ground=ground) == set(lists(TERRAIN)[ground])


@pytest.mark.parametrize("feature", ["woods", "buildings", "bocage"])
def test_features_are_where_they_were_read(data: Data, feature: str) -> None:
    assert data.where("hex", features={feature}) == set(lists(TERRAIN)[feature])


def test_bocage_is_high_ground(data: Data) -> None:
    assert data.where("hex", features={"bocage"}) <= data.where("hex", ground="high_ground")


def test_the_four_draws_are_the_valleys(data: Data) -> None:
    draws = lists(DRAWS)
    assert {name: data.where("hex", exit_draw=name) for name in draws} == {
        name: set(draws[name]) for name in draws
    }
    assert data.where("hex", ground="valley") == {name for hexes in draws.values() for name in hexes}


def test_seven_roads_leave_the_map(data: Data) -> None:
    assert {zone: data.where("hex", exit=zone) for zone in EXITS} == {zone: {EXITS[zone]} for zone in EXITS}


def test_the_beach_and_its_tide_lines(data: Data) -> None:
    lines = {line: data.where("hex", tide_line=line) for line in ("low", "mid", "high")}
    assert {line: len(hexes) for line, hexes in lines.items()} == {"low": 31, "mid": 33, "high": 26}
    beach = data.where("hex", ground="beach")
    assert len(beach) == 94
    assert beach - set().union(*lines.values()) == {"0135", "0136", "0519", "0604"}


def test_hexes_go_under_as_the_tide_rises(data: Data) -> None:
    assert data.where("hex", floods="mid") == data.where("hex", tide_line="low") | {"0135", "0136", "0519"}
    assert data.where("hex", floods="high") == data.where("hex", tide_line="mid") | {"0604"}


def test_obstacles_lie_on_the_mid_tide_line_but_for_its_ends(data: Data) -> None:
    obstacles = data.where("hex", obstacles=True)
    assert data.where("hex", tide_line="mid") - obstacles == {"0605", "0334", "0234", "0235"}
    assert len(obstacles) == 29


@pytest.mark.parametrize("side", ["sheer_cliff", "scaleable_cliff", "seawall", "at_ditch", "at_wall"])
def test_sides_are_where_they_were_read(data: Data, side: str) -> None:
    assert data.with_side(side) == set(lists(SIDES)[side])


def test_the_other_sides_are_as_many_as_were_read(data: Data) -> None:
    assert {side: len(data.with_side(side)) for side in SIDE_COUNTS} == SIDE_COUNTS
    assert sum(bool(edge.get("sides")) for edge in data.edges.values()) == 356


def test_shingle_and_ditch_coincide_at_the_mouth_of_e_1(data: Data) -> None:
    both = {pair for pair, edge in data.edges.items() if len(edge.get("sides", ())) > 1}
    assert both == {"0716|0816", "0717|0816", "0717|0817", "0718|0817"}
    assert both == data.with_side("shingle") & data.with_side("at_ditch")


def test_roads_and_the_mined_ones(data: Data) -> None:
    mined = {pair for pair, edge in data.edges.items() if edge.get("mined")}
    assert mined == set(lists(SIDES)["mined"])
    assert all(data.edges[pair].get("road") for pair in mined)
    # Without the mined roads of which the kind was not legible.
    seen = Counter(edge["road"] for edge in data.edges.values() if "road" in edge and not edge.get("mined"))
    for pair in ("0530|0630", "1021|1022", "0815|0816", "0817|0818"):
        seen[data.edges[pair]["road"]] += 1
    assert seen == {"primary": 73, "secondary": 46, "trail": 164}


def test_roads_reach_the_exits(data: Data) -> None:
    joined = {name for pair, edge in data.edges.items() if edge.get("road") for name in pair.split("|")}
    assert set(EXITS.values()) <= joined


# ------------------------------------------------------------------ positions


def test_positions_are_as_they_were_read(data: Data) -> None:
    found = dict(data.of("position"))
    assert len(found) == 86
    for name, hexes, colour, sector, counts, *arrows in entries(POSITIONS):
        position = found.pop(name)
        assert position["strongpoint"] == name.startswith("WN"), name
        assert position["hexes"] == set(hexes.split("+")), name
        assert position["colour"] == colour, name
        assert position["sector"] == {"E": "east", "W": "west"}[sector[0]], name
        assert position["victory_point"] == sector.endswith("*"), name
        assert position["advance"] == {arrow[1:] for arrow in arrows}, name
        intensities = [position[intensity] for intensity in ("intense", "steady", "sporadic")]
        assert "/".join(str(len(hexes)) for hexes in intensities) == counts, name
    assert found == {}


def test_positions_are_numbered_within_their_zones(data: Data) -> None:
    numbers: dict[str, list[int]] = {}
    for name, position in data.of("position").items():
        letter = position.get("zone")
        numbers.setdefault(letter or name[:1], []).append(position["number"])
        if letter:
            assert name == f"{letter}{position['number']}"
    lengths = {"A": 9, "B": 9, "C": 10, "D": 11, "E": 11, "F": 9, "G": 8}
    assert {zone: sorted(numbers[zone]) for zone in lengths} == {
        zone: list(range(1, length + 1)) for zone, length in lengths.items()
    }
    assert numbers["P"] == [0] * 6
    assert sorted(numbers["W"]) == [60, 61, 62, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73]


def test_positions_and_their_hexes_name_each_other(data: Data) -> None:
    on_map = {name: item["position"] for name, item in data.of("hex").items() if "position" in item}
    named = {place: name for name, item in data.of("position").items() for place in item["hexes"]}
    assert on_map == named
    assert len(named) == 91
    for name, position in data.of("position").items():
        sectors = {data.of("hex")[place]["sector"] for place in position["hexes"]}
        assert sectors == {position["sector"]}, name


def test_strongpoints_on_two_hexes_are_one_position(data: Data) -> None:
    double = {name for name, item in data.of("position").items() if len(item["hexes"]) == 2}
    assert double == {"WN62", "WN65", "WN66", "WN68", "WN72"}


def test_42_positions_count_for_victory_and_no_strongpoint(data: Data) -> None:
    counting = data.where("position", victory_point=True)
    assert len(counting) == 42
    assert not counting & data.where("position", strongpoint=True)


def test_fields_of_fire_have_1065_dots(data: Data) -> None:
    fields = data.of("position").values()
    assert sum(len(item["intense"]) + len(item["steady"]) + len(item["sporadic"]) for item in fields) == 1065
    # A hex has one dot of a position, and none where the position itself stands.
    assert sum(len(dots(item) - item["hexes"]) for item in fields) == 1065


def test_fields_of_one_colour_do_not_overlap(data: Data) -> None:
    for colour in ("orange", "red", "purple", "blue", "green", "brown"):
        fields = [dots(item) for item in data.of("position").values() if item["colour"] == colour]
        assert sum(map(len, fields)) == len(set().union(*fields)), colour


def test_guns_are_printed_on_the_strongpoints(data: Data) -> None:
    assert {gun: data.where("hex", gun=gun) for gun in GUNS} == {gun: set(GUNS[gun].split()) for gun in GUNS}


def test_off_map_artillery_has_its_observers(data: Data) -> None:
    boxes = data.of("artillery_box")
    assert {name: (box["sector"], box["observers"]) for name, box in boxes.items()} == OBSERVERS
    guns = {unit["at"]: unit["calibre"] for unit in data.of("german_unit").values() if unit["at"] in boxes}
    assert guns == {name: f"gun_{name.split('-')[1]}" for name in OBSERVERS}


# ------------------------------------------------------------------ what the rulebook says of single hexes


@pytest.mark.parametrize(
    ("position", "colour", "hexes"),
    [
        ("WN62", "green", "0812 0912"),
        ("WN65", "red", "0817 0918"),
        ("P1014", "purple", "1014"),
        ("P0828", "blue", "0828"),
        ("C1", "brown", "1113"),
        ("C3", "red", "1313"),
        ("WN70", "red", "0728"),
        ("WN72", "purple", "0531 0631"),
        ("WN71", "green", "0629"),
        ("WN73", "blue", "0533"),
        ("A3", "brown", "0907"),
        ("D4", "orange", "1321"),
        ("WN60", "purple", "0807"),
        ("WN61", "orange", "0809"),
    ],
)
def test_positions_named_in_the_rulebook(data: Data, position: str, colour: str, hexes: str) -> None:
    found = data.of("position")[position]
    assert (found["colour"], found["hexes"]) == (colour, set(hexes.split()))


def test_wn_65_fires_into_six_hexes_of_the_other_sector(data: Data) -> None:
    west = dots(data.of("position")["WN65"]) & data.where("hex", sector="west")
    assert west == {"0419", "0520", "0619", "0720", "0819", "0820"}


def test_brown_dots_of_c5_are_not_those_of_c1(data: Data) -> None:
    for name in ("1313", "1314"):
        brown = {
            key for key in data.where("position", colour="brown") if name in dots(data.of("position")[key])
        }
        assert brown == {"C5"}


@pytest.mark.parametrize(
    ("position", "intensity", "hexes"),
    [
        ("WN70", "intense", "0427"),
        ("WN70", "steady", "0626 0527 0328"),
        ("WN70", "sporadic", "0429"),
        ("WN72", "sporadic", "0333"),
        ("WN73", "steady", "0333"),
    ],
)
def test_dots_named_in_the_examples_of_fire(data: Data, position: str, intensity: str, hexes: str) -> None:
    assert set(hexes.split()) <= data.of("position")[position][intensity]


def test_obstacles_that_engineers_can_reach_in_the_example(data: Data) -> None:
    def clearable(*positions: str) -> set[str]:
        fired_on = set().union(*(dots(data.of("position")[name]) for name in positions))
        return (data.where("hex", obstacles=True) & data.where("hex", sector="east")) - fired_on

    # The strongpoints of the east that are red, purple and blue.
    assert clearable("WN65", "WN60", "WN64") == {"0612"}
    assert clearable("WN65", "WN64") == {f"06{column:02}" for column in range(6, 13)}


def test_hexes_of_the_other_examples(data: Data) -> None:
    obstacles = data.where("hex", obstacles=True)
    assert {"0613", "0614", "0615", "0616", "0617", "0618"} <= obstacles
    assert {"0612", "0616", "0523", "0524", "0525", "0426"} <= obstacles
    assert {"1316", "1416"} <= data.where("hex", features={"bocage"})
    assert {"0710|0810", "0711|0810", "0711|0811", "0712|0811"} <= data.with_side("shingle")
    assert any("0810" in pair for pair in data.with_side("at_ditch"))
    assert any("0811" in pair for pair in data.with_side("at_ditch"))
    roads = [data.edges[pair].get("road") for pair in ("1321|1322", "1320|1321", "1220|1321")]
    assert roads == ["primary", "primary", "secondary"]


def test_arrows_named_in_the_rulebook(data: Data) -> None:
    positions = data.of("position")
    assert positions["B1"]["advance"] == {"A6", "A7"}
    assert positions["C3"]["advance"] == {"C1"}


def test_g5_lies_on_a_trail_only_and_c6_on_a_road(data: Data) -> None:
    roads = {
        name: {edge["road"] for pair, edge in data.edges.items() if name in pair and "road" in edge}
        for name in ("1030", "1612")
    }
    assert roads == {"1030": {"trail"}, "1612": {"primary", "secondary"}}


# ------------------------------------------------------------------ boxes


def test_landing_boxes_point_to_their_hexes(data: Data) -> None:
    found = sorted(data.of("landing_box").items(), key=lambda item: item[1]["place"])
    expected = entries(BOXES)
    assert len(found) == len(expected) == 31
    for number, ((name, box), (code, low, mid, high)) in enumerate(zip(found, expected, strict=True), 1):
        assert box["place"] == number
        assert (box["low_hex"], box["mid_hex"], box.get("high_hex", "-")) == (low, mid, high), name
        assert box.get("beach") == BEACHES.get(code[:2]), name
        assert code in (name, "-")
        assert box["sector"] == ("east" if number <= 15 else "west")


def test_landing_boxes_use_every_tide_line(data: Data) -> None:
    boxes = data.of("landing_box").values()
    assert {box["low_hex"] for box in boxes} == data.where("hex", tide_line="low")
    assert data.where("hex", tide_line="mid") - {box["mid_hex"] for box in boxes} == {"0234", "0235"}
    assert {box["high_hex"] for box in boxes if "high_hex" in box} == data.where("hex", tide_line="high")


def test_tide_hexes_of_a_box_lie_one_behind_the_other(data: Data) -> None:
    for name, box in each(data.of("landing_box").items()):
        assert apart(box["low_hex"], box["mid_hex"]) <= 2, name
        if "high_hex" in box:
            assert apart(box["mid_hex"], box["high_hex"]) <= 2, name


def test_the_turn_track_has_32_boxes(data: Data) -> None:
    assert {name: box["number"] for name, box in data.of("turn_box").items()} == {
        f"T{n}": n for n in range(1, 33)
    }


# ------------------------------------------------------------------ US units


def us_facts() -> Iterator[tuple[str, list[str]]]:
    for name, *rest in entries(US_UNITS):
        yield name.replace("_", " "), rest


def test_us_units_are_as_they_were_read(data: Data) -> None:
    found = dict(data.of("us_unit"))
    assert len(found) == 90
    for name, (division, kind, turn, box, symbol, steps, reach, *rest) in us_facts():
        unit = found.pop(name)
        strengths = [int(step) for step in steps.split("/")] if steps != "-" else []
        assert unit["division"] == DIVISIONS[division], name
        assert unit["branch"] == BRANCHES[kind], name
        assert unit["at"] == (box if turn == "0" else f"T{turn}"), name
        assert unit.get("symbol") == SYMBOLS.get(symbol), name
        assert unit["strengths"] == strengths[::-1], name
        assert unit["steps"] == max(len(strengths), 1), name
        assert unit["range"] == (99 if reach == "U" else int(reach)), name
        _check_landing(name, unit, box)
        _check_weapons(name, unit, rest[0].split("/") if rest else [])
    assert found == {}


def _check_landing(name: str, unit: dict[str, Any], box: str) -> None:
    beaches = {"DG*": {"dog_green", "charlie"}}.get(box, {BEACHES[box]} if box in BEACHES else None)
    assert unit.get("beaches") == beaches, name
    assert unit.get("box") == (box if box[-1].isdigit() else None), name


def _check_weapons(name: str, unit: dict[str, Any], codes: list[str]) -> None:
    """Weapons are printed for two steps and one step, or for the last one only."""
    printed = [weapons(code) for code in codes]
    assert unit.get("one_step_weapons") == (printed[-1] if printed else None), name
    assert unit.get("two_step_weapons") == (printed[0] if len(printed) == 2 else None), name


def test_one_counter_changes_its_symbol(data: Data) -> None:
    changing = {
        name: unit["last_symbol"] for name, unit in data.of("us_unit").items() if "last_symbol" in unit
    }
    assert changing == {"Can/16": "triangle"}


def test_us_units_by_kind(data: Data) -> None:
    branches = Counter((unit["division"], unit["branch"]) for unit in data.of("us_unit").values())
    assert {key[1]: count for key, count in branches.items() if key[0] == "first"} == {
        "tank": 6,
        "infantry": 24,
        "field_artillery": 1,
        "armoured_artillery": 1,
        "amphibious_artillery": 2,
        "anti_aircraft": 1,
        "armoured_anti_aircraft": 2,
        "anti_tank": 2,
        "headquarters": 2,
        "general": 1,
    }
    assert branches["twenty_ninth", "ranger"] == 5
    assert branches["twenty_ninth", "infantry"] == 24
    assert branches["twenty_ninth", "tank"] == 6


@pytest.mark.parametrize(
    ("division", "schedule"),
    [
        ("first", {1: 6, 3: 3, 4: 2, 5: 1, 6: 3, 7: 3, 8: 2, 9: 3, 10: 1, 16: 4, 20: 4, 22: 5, 23: 1}),
        ("twenty_ninth", {1: 7, 3: 4, 4: 5, 5: 5, 6: 3, 7: 1, 8: 2, 9: 3, 16: 8, 19: 5, 20: 1}),
    ],
)
def test_us_units_arrive_on_schedule(data: Data, division: str, schedule: dict[int, int]) -> None:
    places = [unit["at"] for unit in data.of("us_unit").values() if unit["division"] == division]
    arriving = Counter(int(name[1:]) for name in places if name in data.of("turn_box"))
    assert arriving == schedule
    assert len(places) - arriving.total() == 4


def test_tanks_without_a_turn_start_in_their_boxes(data: Data) -> None:
    waiting = {
        name: unit for name, unit in data.of("us_unit").items() if unit["at"] in data.of("landing_box")
    }
    assert len(waiting) == 8
    assert {unit["branch"] for unit in waiting.values()} == {"tank"}
    assert all(unit["at"] == unit["box"] for unit in waiting.values())


def test_no_landing_box_is_too_full_when_a_turn_begins(data: Data) -> None:
    printed = Counter((unit["at"], unit["box"]) for unit in data.of("us_unit").values() if "box" in unit)
    assert max(printed.values()) <= 2


def test_last_steps_keep_weapons_they_had(data: Data) -> None:
    for name, unit in each(data.of("us_unit").items()):
        if "two_step_weapons" in unit:
            assert unit["one_step_weapons"] <= unit["two_step_weapons"], name
            assert len(unit["one_step_weapons"]) == 1, name


def test_five_heroes_a_division(data: Data) -> None:
    heroes = Counter((hero["division"], hero["at"]) for hero in data.of("hero").values())
    assert heroes == {("first", "heroes(first)"): 5, ("twenty_ninth", "heroes(twenty_ninth)"): 5}


# ------------------------------------------------------------------ German counters


def german_facts(pool: str) -> list[str]:
    text = re.sub(r"\n  ", " ", GERMAN_COUNTERS)
    line = next(line for line in text.splitlines() if line.startswith(f"{pool}: "))
    return [face.strip() for face in line.removeprefix(f"{pool}: ").split(",")]


@pytest.mark.parametrize(
    ("pool", "size"),
    [
        ("garrisons(no_gun)", 9),
        ("garrisons(gun_75)", 6),
        ("garrisons(gun_88)", 2),
        ("garrisons(rockets)", 1),
        ("tactical_reserve", 9),
        ("division_reserve", 11),
        ("meyer_reserve", 8),
    ],
)
def test_german_units_by_pool(data: Data, pool: str, size: int) -> None:
    units = {name: unit for name, unit in data.of("german_unit").items() if unit["at"] == pool}
    named = not pool.startswith("garrisons")
    found = Counter(
        (name if named else "", unit["strength"], frozenset(unit["needs"])) for name, unit in units.items()
    )
    expected: Counter[tuple[str, int, frozenset[str]]] = Counter()
    for face in german_facts(pool):
        name, rest = face.split(" ", 1) if named else ("", face)
        expected[name, int(rest[0]), frozenset(weapons(rest))] += 1
    assert len(units) == size
    assert found == expected


def test_german_units_carry_the_gun_of_their_pool(data: Data) -> None:
    for name, unit in each(data.of("german_unit").items()):
        if unit["reserve"] == "garrison":
            assert unit["at"] == f"garrisons({unit['calibre']})", name
        elif unit["reserve"] != "off_map":
            assert unit["calibre"] == "no_gun", name


def test_the_716th_division_is_regiment_726(data: Data) -> None:
    for name, unit in each(data.of("german_unit").items()):
        if unit["reserve"] in ("tactical", "division_pool", "meyer"):
            assert unit["of_352nd"] == (not name.endswith("/726")), name


@pytest.mark.parametrize(("pool", "size"), [("wn_depth", 18), ("building_depth", 8), ("mobile_depth", 24)])
def test_depth_markers_by_pool(data: Data, pool: str, size: int) -> None:
    markers = [marker for marker in data.of("depth_marker").values() if marker["at"] == pool]
    plain = [marker for marker in markers if not marker["tactical_reinforcement"]]
    found = Counter((marker["strength"], frozenset(marker["needs"])) for marker in plain)
    faces = [face for face in german_facts(pool) if face != "TR"]
    assert len(markers) == size == len(german_facts(pool))
    assert found == Counter((int(face[0]), frozenset(weapons(face))) for face in faces)


def test_four_strongpoint_markers_bring_tactical_reinforcements(data: Data) -> None:
    tactical = [item["at"] for item in data.of("depth_marker").values() if item["tactical_reinforcement"]]
    assert tactical == ["wn_depth"] * 4


# ------------------------------------------------------------------ cards


def card_facts() -> Iterator[tuple[str, str, list[str], str, str, list[str]]]:
    for line in CARDS.strip().splitlines():
        head, *events = line.split("; ")
        number, landing, *fire, target, artillery = head.split()
        yield number, landing, fire, target, artillery, events


def test_fire_and_landing_sections_are_as_they_were_read(data: Data) -> None:
    found = dict(data.of("fire_card"))
    for number, landing, fire, target, artillery, _ in card_facts():
        card = found.pop(number)
        assert card["number"] == int(number)
        assert card["landing"] == list(landing[:3]), number
        assert card["mine"] == landing.endswith("*"), number
        assert card["target"] == SYMBOLS[target], number
        value, _, calibres = artillery.partition(":")
        assert card["artillery"] == (0 if value == "-" else int(value)), number
        assert card["calibres"] == {f"gun_{size}" for size in calibres.split("/") if size}, number
        _check_fire(number, card, fire)
    assert found == {}


def _check_fire(number: str, card: dict[str, Any], fire: list[str]) -> None:
    expected: dict[str, set[str]] = {}
    columns = {"O": "armour_bonus", "L": "stars", **{letter: f"letter_{letter}" for letter in "AFMPR"}}
    for code in fire:
        colour, letter = code[1:].split(":")
        expected.setdefault("double" if code[0] == "2" else "single", set()).add(colour)
        expected.setdefault(columns[letter], set()).add(colour)
    for column in ("single", "double", *columns.values()):
        assert card[column] == expected.get(column, set()), (number, column)


def test_events_are_as_they_were_read(data: Data) -> None:
    found = dict(data.of("event"))
    for number, *_, events in card_facts():
        names = [f"{number}-{place}" for place in range(1, len(events) + 1)]
        assert data.of("fire_card")[number]["events"] == set(names)
        for name, text in zip(names, events, strict=True):
            event = dict(found.pop(name))
            turns, code = text.split(" ")
            assert f"{event.pop('first_turn')}-{event.pop('last_turn')}" == turns, name
            del event["at"]
            assert event == _event(data, code), name
    assert found == {}


def _event(data: Data, code: str) -> dict[str, Any]:
    """What the code of an event says, as attributes."""
    head, _, argument = code.partition(":")
    event: dict[str, Any] = {"happening": HAPPENINGS[head]}
    match head:
        case "R" | "NAVAL+R":
            event["zones"] = set(argument)
        case "SMOKE":
            event["silenced"] = {f"WN{number}" for number in argument.split(",")}
        case "HERO":
            event["for_division"] = DIVISIONS[argument.removesuffix("+D")]
            if argument.endswith("+D"):
                event["with_depth"] = True
        case "STEP_BOAT" | "STEP_SUP" | "PATROL" | "PRISONER":
            event["for_division"] = DIVISIONS[argument]
        case "CONC":
            event["symbols"] = {SYMBOLS[letter] for letter in argument.split(",")}
        case "SNIPE":
            event["runner"] = f"{argument} HQ"
        case "NAVHIT":
            event["struck"] = [_hex_of(data, part[2:]) for part in argument.split(",")]
    return event


def _hex_of(data: Data, name: str) -> str:
    """The hex of a position; the southern one of a strongpoint that has two."""
    hexes = data.of("position")[name.removesuffix("S")]["hexes"]
    return str(max(hexes))


def test_every_card_has_one_event_for_each_turn(data: Data) -> None:
    for number, card in each(data.of("fire_card").items()):
        turns = [turn for name in card["events"] for turn in _turns(data.of("event")[name])]
        assert sorted(turns) == list(range(2, 32)), number


def _turns(event: dict[str, Any]) -> range:
    return range(event["first_turn"], event["last_turn"] + 1)


def test_totals_of_the_deck(data: Data) -> None:
    cards = list(data.of("fire_card").values())
    assert len(cards) == 54
    assert {card["at"] for card in cards} == {"fire_deck"}
    for colour in ("orange", "red", "purple", "blue", "green", "brown"):
        double = sum(colour in card["double"] for card in cards)
        assert double == (13 if colour == "orange" else 14), colour
        assert double + sum(colour in card["single"] for card in cards) == 27, colour
    assert Counter(card["target"] for card in cards) == {"diamond": 18, "triangle": 18, "circle": 18}
    mines = {card["number"] for card in cards if card["mine"]}
    assert mines == {1, 12, 22, 26, 32, 37, 42, 52, 53}
    assert sum(card["artillery"] > 0 for card in cards) == 12
    columns = ("letter_R", "letter_A", "armour_bonus", "letter_M", "letter_P", "stars", "letter_F")
    totals = [sum(len(card[column]) for card in cards) for column in columns]
    assert totals == [42, 30, 30, 24, 18, 12, 6]


def test_card_19_calls_zones_c_and_g_late_in_the_day(data: Data) -> None:
    assert data.of("event")["19-3"] == {
        "happening": "reinforcements",
        "first_turn": 21,
        "last_turn": 31,
        "zones": {"C", "G"},
        "at": "",
    }


# ------------------------------------------------------------------ scenarios


def test_first_waves_holds_every_strongpoint(data: Data) -> None:
    variables: dict[str, Any] = dict(data.scenario.variables)
    strongpoints = {name for name, item in data.of("hex").items() if "gun" in item}
    assert data.scenario.turns == 16
    assert set(variables["held_at_start"]) == strongpoints
    assert len(strongpoints) == 18
    deep = {"0807", "0809", "0812", "0817", "0821", "0723", "0728", "0531", "0533"}
    assert set(variables["depth_at_start"]) == deep


def test_easy_fox_holds_the_strongpoints_of_the_east() -> None:
    data = data_of("easy-fox")
    variables: dict[str, Any] = dict(data.scenario.variables)
    strongpoints = {
        name for name, item in data.of("hex").items() if "gun" in item and item["sector"] == "east"
    }
    assert set(variables["held_at_start"]) == strongpoints
    assert set(variables["depth_at_start"]) == {"0807", "0809", "0812", "0817"}


def test_every_pool_has_a_unit_for_each_strongpoint(data: Data) -> None:
    pools = Counter(unit["at"] for unit in data.of("german_unit").values())
    guns = Counter(item["gun"] for item in data.of("hex").values() if "gun" in item)
    assert {f"garrisons({gun})": count for gun, count in guns.items()} == {
        pool: count for pool, count in pools.items() if pool.startswith("garrisons")
    }


def test_what_was_reconstructed_is_marked() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in (RULESET / "data").glob("*.yaml")}
    assert all("provenance:" in text for name, text in texts.items() if name != "us-units.yaml")
    assert "provenance: reconstructed" in texts["map.yaml"]
    assert "provenance: reconstructed" in texts["depth.yaml"]
    easy_fox = (RULESET / "scenarios" / "easy-fox.yaml").read_text(encoding="utf-8")
    assert "provenance: reconstructed" in easy_fox


# ------------------------------------------------------------------ set up


@cache
def game_of(name: str) -> Game:
    return load(name, journal=False)


@cache
def pieces_after_set_up(name: str, seed: int) -> dict[str, dict[str, Any]]:
    """Every piece when the first question is asked; the Germans have not acted yet."""
    view = game_of(name).start(seed=seed).view(None)
    pieces: dict[str, dict[str, Any]] = view["pieces"]
    return pieces


def pool_sizes(pieces: dict[str, dict[str, Any]], *pools: str) -> list[int]:
    return [sum(piece["at"] == pool for piece in pieces.values()) for pool in pools]


@pytest.mark.parametrize(("scenario", "seed"), [("first-waves", 1), ("first-waves", 2), ("easy-fox", 1)])
def test_set_up_gives_each_strongpoint_its_kind_of_garrison(scenario: str, seed: int) -> None:
    data = data_of(scenario)
    variables: dict[str, Any] = dict(data.scenario.variables)
    pieces = pieces_after_set_up(scenario, seed)
    garrisons = [
        (piece["at"], piece["calibre"])
        for piece in pieces.values()
        if piece["kind"] == "german_unit" and piece["at"] in data.of("hex")
    ]
    assert sorted(garrisons) == sorted(
        (name, data.of("hex")[name]["gun"]) for name in variables["held_at_start"]
    )
    markers = [piece["at"] for piece in pieces.values() if piece["kind"] == "depth_marker"]
    assert sorted(at for at in markers if at in data.of("hex")) == sorted(variables["depth_at_start"])


def test_garrisons_differ_from_game_to_game() -> None:
    places = [
        {
            name: piece["at"]
            for name, piece in pieces_after_set_up("first-waves", seed).items()
            if "nest" in name
        }
        for seed in (1, 2)
    ]
    assert places[0] != places[1]


DEPTH_POOLS = ("wn_depth", "building_depth", "mobile_depth", "meyer_depth")
UNIT_POOLS = ("tactical_reserve", "division_reserve", "meyer_reserve")


def test_first_waves_fills_every_pool() -> None:
    pieces = pieces_after_set_up("first-waves", 1)
    assert pool_sizes(pieces, *DEPTH_POOLS) == [9, 8, 20, 4]
    assert pool_sizes(pieces, *UNIT_POOLS) == [9, 11, 8]


def test_easy_fox_leaves_out_the_west() -> None:
    pieces = pieces_after_set_up("easy-fox", 1)
    assert pool_sizes(pieces, *DEPTH_POOLS) == [4, 4, 10, 4]
    assert pool_sizes(pieces, *UNIT_POOLS) == [5, 6, 4]
    units = [piece for piece in pieces.values() if piece["kind"] == "us_unit"]
    assert {unit["at"] for unit in units if unit["division"] == "twenty_ninth"} == {"nothing"}
    assert pool_sizes(pieces, "east-105", "east-88", "west-105", "west-88") == [1, 1, 0, 0]

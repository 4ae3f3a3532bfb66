# SPDX-License-Identifier: BSD-3-Clause
# CLIJ2 opens the device before Drua in the same ImageJ; both work.
# expect: Drua's account is the same when CLIJ2 is there
# expect: CLIJ2's image is right
# expect: Drua's image is right
# expect: Drua's account is the same after CLIJ2 has closed
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "support"))
from clij import side_by_side

side_by_side(clij_is_first=True)

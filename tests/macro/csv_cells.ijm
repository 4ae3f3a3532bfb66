// SPDX-License-Identifier: BSD-3-Clause
// Cells of tables that --out saves are quoted as RFC 4180 says; labels keep their commas and other characters.
setResult("Label", 0, "a, b");
setResult("Area", 0, 0.5);
setResult("Label", 1, "5\" disk");
setResult("Label", 2, "two\nlines");
setResult("Label", 3, "x" + fromCharCode(181));
setResult("size, \"of\"", 3, "plain");
setResult("Count", 3, 7);
updateResults();
// results:  ,Label,Area,"size, ""of""",Count
// results: 1,"a, b",0.500,0,0
// results: 2,"5"" disk",0.000,0,0
// results: 3,"two
// results: lines",0.000,0,0
// results: 4,xµ,0.000,plain,7

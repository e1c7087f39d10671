// The colours of all pictures, of this page and of `fathom report --svg`: page/palette makes a header of C of them.

// Okabe and Ito (2008): different also for those who see fewer colours. By place among the layers of the run.
export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#b8a000", "#7f7f7f", "#8c564b", "#5254a3"];
// Of runs beside each other.
export const RUNS = ["#0b57a4", "#a0522d", "#006d5b", "#7b3294"];
export const OTHERS = "#8f979e";
export const READS = "#0072b2";
export const WRITES = "#d55e00";
// What time goes to: I/O, messages, waiting, other calls, the program's own; not known.
export const SPENT = ["#0072b2", "#d55e00", "#cc79a7", "#b8a000", "#8f979e", "#c9ced3"];

// Reports in a real browser. All in one process, so that they share it; in this order, for the last ones change the page
// for good.
import './reproduce.mjs';
import './verify.mjs';
import './normalizers.mjs';
import './sweep.mjs';
import './looks.mjs';
import './bad_input.mjs';

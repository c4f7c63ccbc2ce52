// What can be measured of a head at one N: the names of verify/quantity.hpp, as people read them.
// `share` quantities lie between 0 and 1 by definition.
const selectedSum = () => sum('i ∈ I_N', 'y_i');

const quantities = {
  distance: {name: 'Distance D of the top N', formula: () => math('D =', sum('i ∈ O_N', '‖ s − y_i ‖')),
    meaning: 'how far the context vector of the selected tokens lies from the others, summed over them'},
  distance_upper: {name: 'Upper bound of D, as printed', formula: () => math('D ≤ d_1', sum('i ∈ O_N', 'α_i'), '+ | ( L − N ) ᾱ −', sum('i ∈ O_N', 'α_i'), '|', 'max ‖ x_j ‖'),
    meaning: 'Theorem 1 of the paper'},
  distance_lower_sharp: {name: 'Lower bound of D, sharp', formula: () => math('D ≥ ‖ x̄ ‖', sum('i ∈ O_N', '| ᾱ − α_i |'), '−', sum('i ∈ O_N', 'α_i ‖ x_i − x̄ ‖')),
    meaning: 'the same identity without its maxima, from below'},
  distance_upper_sharp: {name: 'Upper bound of D, sharp', formula: () => math('D ≤ ‖ x̄ ‖', sum('i ∈ O_N', '| ᾱ − α_i |'), '+', sum('i ∈ O_N', 'α_i ‖ x_i − x̄ ‖')),
    meaning: 'the same identity without its maxima, from above'},
  expected: {name: 'Expected distance E₀', formula: () => math('E_0 =', fraction('L − N', 'L'), sum('i', '‖ p ( c − y_i ) − y_i ‖')),
    meaning: 'for N tokens picked at random, as the theorem prints it'},
  expected_full: {name: 'Expected distance E₁', formula: () => math('E_1 =', fraction('L − N', 'L'), sum('i', '‖ c − 2 y_i ‖')),
    meaning: 'E₀ without the selection probability inside the norm: what the published figure shows'},
  expected_upper: {name: 'Upper bound of E[D]', formula: () => math('E [ D ] ≤', fraction('L − N', 'L'), sum('i', root('m_i^2 + v_i'))),
    meaning: 'for a random selection, by Jensen’s inequality on the square'},
  radius: {name: 'Radius r', formula: () => math('r =', lowered('min', 'j ∈ O_N'), '‖ s − y_j ‖'),
    meaning: 'the distance of the nearest non-selected token'},
  separable: {name: 'Separable share Nₛ/N', share: true, formula: () => math('N_s / N'),
    meaning: 'the share of the selected tokens that lie nearer to the context vector than every other token'},
  separable_lower: {name: 'Lower bound of Nₛ/N, as printed', formula: () => math(fraction('N_s', 'N'), '≥ 1 −', fraction('1', 'r N'), sum('i ∈ I_N', 'ξ_i')),
    meaning: 'Theorem 2 of the paper; below 0 it says nothing'},
  separable_upper: {name: 'Upper bound of Nₛ/N, as printed', share: true, formula: () => math(fraction('E [ N_s ]', 'N'), '≤', fraction('1', 'N'), sum('i ∈ I_N', 'exp ( − ( ξ_i − r )', '/ 2 M^2 )')),
    meaning: 'Theorem 2 of the paper'},
  separable_lower_sharp: {name: 'Lower bound of Nₛ/N, sharp', share: true, formula: () => math(fraction('N_s', 'N'), '≥', fraction('1', 'N'), '# { i : ξ_i < r }'),
    meaning: 'holds with certainty'},
  separable_law: {name: 'Resolution law for Nₛ/N', share: true, formula: () => math('E [ N_s ] / N'),
    meaning: 'what isotropic vectors with the same weights would give'},
  xi_mean: {name: 'Mean of ξ', formula: () => math('ξ_i ≥ ‖ s − y_i ‖'),
    meaning: 'the largest distance from the context vector that a selected token can have'},
  mass: {name: 'Selected weight ᾱ', share: true, formula: () => math('ᾱ =', sum('i ∈ I_N', 'α_i')),
    meaning: 'how much of the attention the selected tokens have'},
  entropy: {name: 'Entropy of the weights', formula: () => math('H = −', sum('i', 'α_i log α_i')),
    meaning: 'in natural units; log L when all weights are equal'},
  max_weight: {name: 'Largest weight', share: true, formula: () => math('max α_i'),
    meaning: '1 when the head looks at a single token'},
  jacobian_norm: {name: 'Sensitivity ‖J‖₂', formula: () => math('‖ J ‖_2 , J =', fraction('diag ( α ) − α α^⊤', 'T')),
    meaning: 'how far the weights can move per unit of change in the logits'},
};

// Only N_s/N and its like depend on N; of the rest every N gives the same.
const independentOfTop = new Set(['entropy', 'max_weight', 'jacobian_norm']);

// What only compare measures.
const comparedNames = {critical_top: 'Critical N against E₁', critical_top_expected: 'Critical N against E₀', temperature: 'Fitted temperature', effective_scale: 'Effective scale', zeros: 'Share of weights that are 0', jacobian_mean: 'Sensitivity ‖J‖₂, mean over queries',
  jacobian_worst: 'Sensitivity ‖J‖₂, largest', output_change: 'Change of the output, relative'};

function quantityName(key) {
  return quantities[key]?.name ?? comparedNames[key] ?? key;
}

// Its formula and what it means, as a line of text.
function quantityLine(key) {
  const about = quantities[key];
  return about ? [element('span', {class: 'scrolls'}, largeMath(about.formula())), ' – ', about.meaning, '.'] : [key];
}

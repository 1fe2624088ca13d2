import { expect, test } from 'vitest';
import { foldText } from '../../../../../src/core/companies/fold-text.ts';

test.each([
  ['  Ärzte\tohne   Grenzen ', 'arzte ohne grenzen'],
  ['STRASSE Straße STRAẞE', 'strasse strasse strasse'],
  ['Łódź Øresund Đuro Þór Œuvre', 'lodz oresund duro thor oeuvre'],
  ['Smith & Sons', 'smith and sons'],
  ['Canal+', 'canal plus'],
  ['S.A.R.L', 'sarl'],
  ['J. B. Hunt', 'jb hunt'],
  ['U.S. Bancorp', 'us bancorp'],
  ['Co. KG', 'co kg'],
  ['A/S', 'as'],
  ['24/7 Media', '24 7 media'],
  ['ΟΔΥΣΣΕΥΣ Οδυσσεύς', 'οδυσσευσ οδυσσευσ'],
  ['ガス ｶﾞｽ', 'ガス ガス'],
  ['हिन्दी', 'हिन्दी'],
])('foldText folds %s to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

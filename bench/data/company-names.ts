const syllables =
  'ba be bi bo bu da de di do du fa fe fi fo fu ga ge gi go gu ka ke ki ko ku la le li lo lu ma me'
    .concat(
      ' mi mo mu na ne ni no nu pa pe pi po pu ra re ri ro ru ta te ti to tu va ve vi vo vu za ze zi zo',
    )
    .split(' ');
const trades = ['Software', 'Logistik', 'Foods', 'Energy', 'Textil', 'Media', 'Pharma', 'Robotics'];
const forms = ['GmbH', 'AG', 'Inc.', 'Ltd', 'S.A.', 'B.V.', 'AB', 'LLC'];
const endings = ['com', 'de', 'io', 'co.uk', 'fr', 'nl'];

/** Country of all synthetic advertisers. */
export const advertiserLocation = 'DE';

/** A synthetic name per index, in the form of a company's name: with a legal form. */
export function companyName(index: number): string {
  return `${companyWord(index)} ${pick(trades, index)} ${pick(forms, index >> 3)}`;
}

/**
 * A synthetic domain per index and per `nth` company of that name. It starts with the first word of the name, because a name is
 * used beside a domain only if it fits.
 */
export function companyDomain(index: number, nth = 0): string {
  return `${companyWord(index).toLowerCase()}-group${nth === 0 ? '' : `-${nth}`}.${pick(endings, index)}`;
}

function companyWord(index: number): string {
  let word = '';
  for (
    let rest = index, count = 0;
    count < 3 || rest > 0;
    rest = Math.floor(rest / syllables.length), count += 1
  ) {
    word += syllables[rest % syllables.length] ?? '';
  }
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '';
}

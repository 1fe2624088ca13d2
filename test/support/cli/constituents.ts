import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';

/** The list of the S&P 500, if it exists beside the checkout. */
const shared = join(packageRoot, '..', 'shared', 'data', 'sp500-constituents.csv');

const own = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location,Date added,CIK,Founded
AAPL,Apple Inc.,Information Technology,"Technology Hardware, Storage & Peripherals","Cupertino, California",1982-11-30,320193,1977
GOOGL,Alphabet Inc. (Class A),Communication Services,Interactive Media & Services,"Mountain View, California",2014-04-03,1652044,1998
GOOG,Alphabet Inc. (Class C),Communication Services,Interactive Media & Services,"Mountain View, California",2006-04-03,1652044,1998
BF.B,Brown–Forman,Consumer Staples,Distillers & Vintners,"Louisville, Kentucky",1982-10-31,14693,1870
KO,Coca-Cola Company (The),Consumer Staples,Soft Drinks & Non-alcoholic Beverages,"Atlanta, Georgia",1957-03-04,21344,1886
LOW,Lowe's,Consumer Discretionary,Home Improvement Retail,"Mooresville, North Carolina",1984-02-29,60667,1904 (1946)
NKE,"Nike, Inc.",Consumer Discretionary,"Apparel, Accessories & Luxury Goods","Washington County, Oregon",1988-11-30,320187,1964
PG,Procter & Gamble,Consumer Staples,Personal Care Products,"Cincinnati, Ohio",1957-03-04,80424,1837
`;

/** A list of public companies with their names in the column `Security`. */
export interface Constituents {
  readonly text: string;
  /** Number of data rows. */
  readonly rows: number;
  /** Name of the file for the test title. */
  readonly title: string;
}

/** Returns the complete list if it exists beside the checkout; otherwise eight similar rows, with a title that says what was not run. */
export function readConstituents(): Constituents {
  if (existsSync(shared)) return { text: readFileSync(shared, 'utf8'), rows: 503, title: 'the S&P 500' };
  return {
    text: own,
    rows: 8,
    title: 'eight rows (not run: the S&P 500, sp500-constituents.csv is not there)',
  };
}

/** Units of a source's price that a company costs there, or that a call costs that covers many. */
export interface UnitsPerCompany {
  /** As a company costs usually. */
  readonly expected: number;
  /** At most, for a company that is mapped to few advertisers. */
  readonly max: number;
}

/** Estimated cost at a source, in the currency of its price. */
export interface SpendEstimate {
  readonly expected: number;
  readonly max: number;
}

/** Estimates the cost of searching companies at a source, if every one of them is searched there. */
export function estimateSpend(
  companies: number,
  {
    units,
    amount,
    companiesPerCall,
  }: {
    readonly units: UnitsPerCompany;
    /** Price of a unit, exact decimal text. */
    readonly amount: string;
    readonly companiesPerCall: number;
  },
): SpendEstimate {
  const calls = Math.ceil(companies / companiesPerCall);
  const cost = (perCall: number) => Number((calls * perCall * Number(amount)).toFixed(6));
  return { expected: cost(units.expected), max: cost(units.max) };
}

/**
 * Prices of results (docs/architecture/contract.md, 8; for addresses docs/architecture/decisions/0009-microcredits.md), in
 * microcredits.
 */
export const contractPricesMicro = { ads_search: 200_000n, email_validation: 0n } as const;

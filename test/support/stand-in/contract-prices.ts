/** Prices of results (service contract §8; of addresses DESIGN D9), in microcredits. */
export const contractPricesMicro = { ads_search: 200_000n, email_validation: 0n } as const;

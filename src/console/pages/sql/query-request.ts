/** Query with its row limit. */
export interface QueryRequest {
  readonly query: string;
  readonly limit: number;
}

// Prints the rows of a query on DuckDB as a JSON array: node duckdb.js QUERY
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create();
const connection = await instance.connect();
const reader = await connection.runAndReadAll(process.argv[2]);
process.stdout.write(`${JSON.stringify(reader.getRowObjectsJson())}\n`);

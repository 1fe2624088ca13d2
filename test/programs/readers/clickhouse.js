// Prints the rows of a query on ClickHouse as a JSON array: node clickhouse.js QUERY
import { query } from 'chdb';

const lines = query(process.argv[2], 'JSONEachRow').toString().trim().split('\n');
process.stdout.write(`[${lines.filter((line) => line !== '').join(',')}]\n`);

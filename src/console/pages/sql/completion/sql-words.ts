/** Keywords that queries use, the frequent ones first. */
export const keywords: readonly string[] = (
  'select,from,where,group by,order by,limit,join,left join,on,using,as,and,or,not,in,is null,is not null,null,desc,asc,' +
  'distinct,with,having,offset,like,ilike,between,case,when,then,else,end,exists,union all,filter,over,partition by,' +
  'cross join,interval,true,false,current_date'
).split(',');

/** Functions that queries use, without their brackets. */
export const functionNames: readonly string[] = (
  'count,sum,avg,min,max,round,coalesce,nullif,now,date_trunc,to_char,lower,upper,length,split_part,string_agg,' +
  'array_agg,unnest,cardinality,generate_series,row_number'
).split(',');

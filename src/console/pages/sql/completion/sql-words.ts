/** Keywords that queries use, the frequent ones first. */
export const keywords: readonly string[] = (
  'select,from,where,group by,order by,limit,join,left join,on,using,as,and,or,not,in,is null,is not null,desc,asc,' +
  'distinct,with,having,like,ilike,between,case,when,then,else,end,exists,union all,over,cross join,interval,current_date'
).split(',');

/** Functions that queries use, without their brackets. */
export const functionNames: readonly string[] =
  'count,sum,avg,min,max,round,coalesce,now,date_trunc,to_char,lower,unnest,string_agg,row_number'.split(',');

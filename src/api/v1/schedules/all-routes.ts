import { routeScheduleControl } from './control-routes.ts';
import { routeScheduleReport } from './report-routes.ts';
import { routeSchedules } from './routes.ts';
import { routeScheduleUpload } from './upload-routes.ts';

/** Routes of schedules, their scans and their files. */
export const scheduleRoutes = [
  routeScheduleUpload,
  routeSchedules,
  routeScheduleControl,
  routeScheduleReport,
];

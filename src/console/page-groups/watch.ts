export { Charts } from '../pages/charts/charts.tsx';
export { Changes } from '../pages/changes/changes.tsx';
export { Schedules } from '../pages/schedules/schedules.tsx';
export { NewSchedule } from '../pages/schedules/new-schedule.tsx';
export { SchedulePage } from '../pages/schedules/schedule.tsx';
export { EditSchedule } from '../pages/schedules/edit-schedule.tsx';

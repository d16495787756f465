/** Parts that every page has, but does not show at first. */
export { Feedback } from './Feedback.tsx'
export { Overlays } from './Overlays.tsx'
export { PageTasks, RecordingMark, TasksPanel, TasksTray } from './registry.tsx'

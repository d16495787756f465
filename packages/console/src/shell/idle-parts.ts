/** What every page shows, but not at first. */
export { Feedback } from './Feedback.tsx'
export { Overlays } from './Overlays.tsx'

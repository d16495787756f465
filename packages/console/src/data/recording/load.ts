/** What keeps requests, loaded with the first of them. */
export const loadRecorder = () => import('./recorder.ts')

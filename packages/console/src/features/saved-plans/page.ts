import { lazyPart } from '#/ui/lazy-part.tsx'

/** A saved plan: its code is that of reviews, which no list loads. */
export const SavedPlanPage = lazyPart(() => import('./SavedPlanPage.tsx'), 'SavedPlanPage')

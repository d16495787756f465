import { lazyPart } from '#/ui/lazy-part.tsx'

/*
 * Parts of the shell that no page needs at first. `Overlays` prefetches them, so that an error screen does not depend
 * on a server that has just failed.
 */
export const Drawer = lazyPart(() => import('./Drawer.tsx'), 'Drawer')
export const ErrorScreen = lazyPart(() => import('./ErrorScreen.tsx'), 'ErrorScreen')
export const NotFoundScreen = lazyPart(() => import('./ErrorScreen.tsx'), 'NotFoundScreen')
export const LiveNote = lazyPart(() => import('./LiveNote.tsx'), 'LiveNote', 'Reconnecting')

/** Of every person of silo `demo`. Whoever has this page has all that is in it, so it is no secret. */
export const password = 'preview'

export interface Person {
  /** By which they sign in. */
  name: string
  /** What they may do, in two or three words. */
  role: string
}

/** One of each kind, from the strongest down; the first is signed in at first. */
export const people = [
  { name: 'admin', role: 'Fleet admin' },
  { name: 'owner', role: 'Silo admin' },
  { name: 'member', role: 'Collaborator' },
  { name: 'viewer', role: 'Viewer' },
  { name: 'newcomer', role: 'No group and no role' },
] as const satisfies readonly Person[]

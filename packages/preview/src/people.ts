/** Shared by all users of silo `demo`. The page contains everything anyway, so it is no secret. */
export const password = 'open-to-everybody'

export interface Person {
  /** The sign-in name. */
  name: string
  /** Their permissions, in two or three words. */
  role: string
}

/** One of each kind, strongest first; the first is signed in initially. */
export const people = [
  { name: 'admin', role: 'Fleet admin' },
  { name: 'owner', role: 'Silo admin' },
  { name: 'member', role: 'Collaborator' },
  { name: 'viewer', role: 'Viewer' },
  { name: 'newcomer', role: 'No group and no role' },
] as const satisfies readonly Person[]

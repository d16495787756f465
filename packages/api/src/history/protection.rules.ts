/** Kinds that can be protected, by their words, and what each can be protected against. */
export const protectedAgainst = {
  instance: ['delete', 'stop'],
  disk: ['delete'],
  image: ['delete'],
  'floating-ip': ['delete'],
  'external-subnet': ['delete'],
  vpc: ['delete'],
  project: ['delete'],
} as const satisfies Record<string, readonly ProtectedAction[]>

/** A reboot is no stop: the instance runs again. */
export type ProtectedAction = 'delete' | 'stop'
export type ProtectedKind = keyof typeof protectedAgainst
export const protectedKinds = Object.keys(protectedAgainst) as [ProtectedKind, ...ProtectedKind[]]

export const protectionReasonMax = 256

export const canBeStopped = (kind: ProtectedKind): boolean =>
  (protectedAgainst[kind] as readonly ProtectedAction[]).includes('stop')

interface Wanted {
  no_delete: boolean
  no_stop: boolean
}

/** What is wrong with a protection, besides the length of its reason. */
export function protectionProblem(kind: ProtectedKind, { no_delete, no_stop }: Wanted): string | undefined {
  if (no_stop && !canBeStopped(kind)) return 'only an instance can be protected against being stopped'
  if (!no_delete && !no_stop) return 'a protection must be against deletion or against being stopped'
  return undefined
}

export const isReason = (text: string): boolean => text.trim() !== ''

/** Who set a protection, where the reader may not know which operator of another silo it was. */
const operator = 'an operator'

/** `protected by mara: holds the payroll`, as refusals and the reasons of disabled actions end. */
export const protectedBy = (by: string | null | undefined, reason: string): string =>
  `protected by ${by ?? operator}: ${reason}`

export const protectionHelp = 'Take the protection off first.'

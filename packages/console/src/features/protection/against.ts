import type { Protection } from './queries.ts'

/** `It cannot be deleted or stopped.` */
export function protectedAgainstText({ noDelete, noStop }: Pick<Protection, 'noDelete' | 'noStop'>): string {
  const actions = [...(noDelete ? ['deleted'] : []), ...(noStop ? ['stopped'] : [])]
  return `It cannot be ${actions.join(' or ')}.`
}

import { createStore } from '#/store.ts'

/** An object with a menu, whose actions the palette offers. */
export interface FoundObject {
  kind: 'instance' | 'vpc' | 'floating-ip'
  name: string
  project: string
}

export const hasActions = (kind: string): kind is FoundObject['kind'] =>
  kind === 'instance' || kind === 'vpc' || kind === 'floating-ip'

/** The object whose actions are on offer, or were: their dialogs may still be open. */
export const actedObject = createStore<{ object: FoundObject; number: number } | undefined>(undefined)
let number = 0
export const showActions = (object: FoundObject): void => actedObject.set({ object, number: (number += 1) })

import { createStore } from '#/store.ts'

const actedKinds = ['instance', 'vpc', 'floating-ip', 'external-subnet'] as const

/** An object with a menu, whose actions the palette offers. */
export interface FoundObject {
  kind: (typeof actedKinds)[number]
  name: string
  project: string
}

export const hasActions = (kind: string): kind is FoundObject['kind'] =>
  (actedKinds as readonly string[]).includes(kind)

/** The object whose actions are on offer, or were: their dialogs may still be open. */
export const actedObject = createStore<{ object: FoundObject; number: number } | undefined>(undefined)
let number = 0
export const showActions = (object: FoundObject): void => actedObject.set({ object, number: (number += 1) })

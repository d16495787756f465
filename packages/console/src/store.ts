import { useSyncExternalStore } from 'react'

export interface ReadableStore<Value> {
  get: () => Value
  /** Returns the function that ends the subscription. */
  subscribe: (listener: () => void) => () => void
}

export interface Store<Value> extends ReadableStore<Value> {
  set: (next: Value) => void
}

/** A value outside of React, for state without a home in the URL, the query cache or a component. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The value of a store; renders again when it changes. */
export const useStore = <Value>({ subscribe, get }: ReadableStore<Value>): Value =>
  useSyncExternalStore(subscribe, get)

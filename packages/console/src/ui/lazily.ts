import { type ComponentType, lazy } from 'react'
import { patiently } from './late.ts'

/** The part of that name of a module that is fetched when it is first shown, and asked for until it comes. */
export const lazily = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) => lazy(async () => ({ default: (await patiently(load))[name] }))

import type { ComboboxOption } from '#/ui/combobox.ts'
import type { IpPool } from './queries.ts'

type Pool = Pick<IpPool, 'name' | 'description' | 'isDefault'>

/** The pool that allocates addresses if none is named. */
export const defaultPool = (pools: readonly Pick<Pool, 'name' | 'isDefault'>[]): string =>
  pools.find(({ isDefault }) => isDefault)?.name ?? ''

export const poolOptions = (pools: readonly Pool[]): ComboboxOption[] =>
  pools.map(({ name, isDefault, description }) => ({
    value: name,
    label: name,
    detail: [isDefault && 'default', description].filter(Boolean).join(' · '),
  }))

/** Kinds whose table is not called as they are. */
const calledOtherwise = {
  'floating-ip': 'external_ip',
  'instance-network-interface': 'network_interface',
} as const

type Underscored<Kind extends string> = Kind extends `${infer First}-${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Kind

/** The table of a kind, by its word. */
export type TableOf<Kind extends string> = Kind extends keyof typeof calledOtherwise
  ? (typeof calledOtherwise)[Kind]
  : Underscored<Kind>

export const tableOf = <Kind extends string>(kind: Kind): TableOf<Kind> =>
  ((calledOtherwise as Readonly<Record<string, string>>)[kind] ?? kind.replaceAll('-', '_')) as TableOf<Kind>

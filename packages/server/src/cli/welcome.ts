import type { SeedKind } from '@gantry/control-plane/environment'

const users: Record<SeedKind, { silo: string; names: string[] }> = {
  demo: { silo: 'demo', names: ['admin', 'member', 'viewer'] },
  recovery: { silo: 'recovery', names: ['recovery'] },
}

/** Said once, when the first contents have been made: the password is kept nowhere it could be read again. */
export function welcome(kind: SeedKind, address: string, password: string): string {
  const { silo, names } = users[kind]
  const rows = [
    ['Address', address],
    ['Silo', silo],
    [names.length > 1 ? 'Users' : 'User', names.join(', ')],
    ['Password', password],
  ]
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(10)}${value}`)
  return ['', '  Gantry is set up. This is shown only once:', '', ...lines, '', ''].join('\n')
}

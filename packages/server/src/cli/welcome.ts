import type { SeedKind } from '@gantry/control-plane/environment'

type Kind = Exclude<SeedKind, 'playground'>

const users: Record<Kind, { silo: string; names: string[] }> = {
  demo: { silo: 'demo', names: ['admin', 'member', 'viewer'] },
  recovery: { silo: 'recovery', names: ['recovery'] },
}

/** Printed once, after seeding: the password is stored nowhere in clear. */
export function welcome(kind: Kind, address: string, password: string): string {
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

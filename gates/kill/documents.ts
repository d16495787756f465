import { oneOf } from './chance.ts'
import { ask, type Load } from './load.ts'

interface Replaced {
  name: string
  path: (load: Load) => string
  /** A new value of the document. */
  next: (load: Load) => unknown
  /** The part of a response that was sent. */
  valueOf: (body: unknown) => unknown
}

const rule = (name: string) => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  targets: [{ type: 'vpc', value: 'default' }],
  filters: { hosts: null, ports: ['22'], protocols: [{ type: 'tcp' }] },
  action: 'allow',
  priority: 100,
})

/** Documents that are replaced as a whole; each replacement names the generation that its author has read. */
export const documents: readonly Replaced[] = [
  {
    name: 'firewall',
    path: ({ project }) => `/v1/vpc-firewall-rules?project=${project}&vpc=default`,
    next: ({ nextName }) => ({ rules: [rule(nextName('rule')), rule(nextName('rule'))] }),
    valueOf: (body) => (body as { rules: { name: string }[] }).rules.map(({ name }) => name).sort(),
  },
  {
    name: 'policy',
    path: ({ project }) => `/v1/projects/${project}/policy`,
    next: ({ users, chance }) => ({
      role_assignments: users
        .filter(() => chance() < 0.6)
        .map((identity_id) => ({
          identity_id,
          identity_type: 'silo_user',
          role_name: oneOf(chance, ['viewer', 'collaborator', 'admin']),
        })),
    }),
    valueOf: (body) =>
      (body as { role_assignments: { identity_id: string; role_name: string }[] }).role_assignments
        .map(({ identity_id, role_name }) => `${identity_id} ${role_name}`)
        .sort(),
  },
  {
    name: 'project',
    path: ({ project }) => `/v1/projects/${project}`,
    next: ({ nextName }) => ({ name: nextName('churn') }),
    valueOf: (body) => (body as { name: string }).name,
  },
]

export async function replaceDocument(load: Load): Promise<void> {
  const document = oneOf(load.chance, documents)
  if (!document) return
  const { name, path, next, valueOf } = document
  const seen = await ask(load, `read ${name}`, 'GET', path(load))
  if (!seen.ok) return
  const body = next(load)
  const headers = { 'if-match': `"${seen.generation}"` }
  const answer = await ask(load, `replace ${name}`, 'PUT', path(load), { body, headers })
  if (!answer.ok) return
  if (answer.generation <= seen.generation)
    load.ledger.faults.push(`${name} was replaced and kept generation ${seen.generation}`)
  load.ledger.replaced(name, answer.generation, JSON.stringify(valueOf(answer.body)))
}

import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { allProjects } from '#/features/projects/queries.ts'
import { TokenForm } from './TokenForm.tsx'

/** Makes a token of the signed-in user. */
export function NewToken() {
  const { data: projects } = useSuspenseQuery(allProjects)
  const create = useOp(op.accessTokenCreate)
  return (
    <TokenForm
      intro="For scripts and tools. It acts as you, with less: a token makes no tokens, approves no devices and does not change how you sign in. It ends with your account."
      whose="I"
      projects={projects}
      create={(body, send) => create.run({ body }, send)}
      listLink={{ to: '/settings/access-tokens' }}
    />
  )
}

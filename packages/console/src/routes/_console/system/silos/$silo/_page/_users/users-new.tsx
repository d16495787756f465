import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { NameField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { siloLink, siloUserLink } from '#/features/silos/links.ts'
import { showPassword } from '#/features/silos/people/issued.ts'
import { siloAt } from '#/features/silos/queries.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Note } from '#/ui/feedback/Note.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_users/users-new')({
  staticData: { title: 'New user' },
  component: UserNew,
})

const CreateUser = lazyPart(() => import('#/features/silos/people/CreateUser.tsx'), 'CreateUser')

/** Servers of the reference API have no one-time passwords, which the list or the first attempt shows. */
function UserNew() {
  const { silo } = Route.useParams()
  const [typed, setTyped] = useState(isAbsent(op.siloPersonList) ? '' : undefined)
  if (typed !== undefined) return <CreateUser silo={silo} name={typed} />
  return <InviteUser silo={silo} onAbsent={setTyped} />
}

function InviteUser({ silo, onAbsent }: { silo: string; onAbsent: (typed: string) => void }) {
  const invite = useOp(op.siloUserInvite)
  const closeTo = siloLink(silo, 'users')
  const whyNot = useWhyNot({ action: 'create_child', object: 'silo_user', id: silo })
  return (
    <SideForm
      title="Create user"
      context={`In silo ${silo}`}
      pendingLabel="Creating user"
      initial={{ name: '' }}
      save={async ({ name }) => {
        try {
          const made = await invite.run({ ...siloAt(silo), body: { externalId: name } })
          showPassword({ silo, name: made.user.displayName, password: made.password })
          return made
        } catch (error) {
          if (isAbsent(op.siloUserInvite)) onAbsent(name)
          throw error
        }
      }}
      saved={({ user }) =>
        linkedSuccessMessage('user', user.displayName, 'created', siloUserLink(silo, user.id))
      }
      closeTo={closeTo}
      disabled={whyNot}
    >
      <NameField name="name" label="Username" />
      <Note>The user gets a one-time password, which is shown once after you create them.</Note>
    </SideForm>
  )
}

import * as op from '@gantry/api/client/operations.gen'
import { capitalise } from '@gantry/api/base/errors.rules'
import { passwordMinLength, passwordProblem } from '@gantry/api/people/password.rules'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { NameField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { PasswordField } from '#/kit/inputs/PasswordField.tsx'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { siloLink, siloUserLink } from '../links.ts'

/** Creates a local user with a password, for servers without one-time passwords. */
export function CreateUser({ silo, name: typed }: { silo: string; name: string }) {
  const create = useOp(op.localIdpUserCreate)
  return (
    <SideForm
      title="Create user"
      context={`In silo ${silo}`}
      pendingLabel="Creating user"
      initial={{ name: typed, password: '' }}
      save={({ name, password }, send) =>
        create.run(
          {
            query: { silo },
            body: { externalId: name, password: { mode: 'password', value: password } },
          },
          send,
        )
      }
      saved={({ id, displayName }) =>
        linkedSuccessMessage('user', displayName, 'created', siloUserLink(silo, id))
      }
      closeTo={siloLink(silo, 'users')}
      disabled={useWhyNot({ action: 'create_child', object: 'silo_user', id: silo })}
    >
      <NameField name="name" label="Username" />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="new-password"
        hint={`At least ${passwordMinLength} characters. Several unrelated words work well.`}
        problem={(password) => {
          const problem = passwordProblem(password, [silo])
          return problem && `${capitalise(problem)}.`
        }}
      />
    </SideForm>
  )
}

import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { opQuery } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

/** Whether the signed-in user has a password here. */
const myPassword = opQuery(op.currentUserPasswordView, {})

const ChangePasswordDialog = lazyPart(() => import('./ChangePasswordDialog.tsx'), 'ChangePasswordDialog')

/** For users with a password here; others change theirs at their identity provider. */
export function PasswordCard() {
  const { data } = useQuery(myPassword)
  const [isOpen, setOpen] = useState(false)
  if (!data?.isSet) return null
  return (
    <Card title="Password" actions={<Button onClick={() => setOpen(true)}>Change password</Button>}>
      <p className="text-sm text-muted">
        Changing your password signs you out everywhere else and deletes your access tokens.
      </p>
      {isOpen && <ChangePasswordDialog onClose={() => setOpen(false)} />}
    </Card>
  )
}

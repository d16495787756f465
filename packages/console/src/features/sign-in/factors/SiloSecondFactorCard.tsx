import { useQuery } from '@tanstack/react-query'
import { useWhyNot } from '#/data/permissions.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { SettingCard } from '#/kit/page/SettingCard.tsx'
import { siloSecondFactor } from './queries.ts'

const RequireDialog = lazyPart(() => import('./RequireDialog.tsx'), 'RequireDialog')

/** The silo's second factor rule for users who sign in with a password. */
export function SiloSecondFactorCard() {
  return (
    <SettingCard
      title="Second factor in this silo"
      description="Applies to every user in the silo from their next sign-in."
      label="Second factor"
      query={useQuery(siloSecondFactor)}
      valueOf={({ secondFactor }) => (secondFactor === 'required' ? 'Required' : 'Optional')}
      whyNot={useWhyNot({ action: 'modify', object: 'silo' })}
      renderDialog={({ secondFactor }, close) => <RequireDialog rule={secondFactor} onClose={close} />}
    />
  )
}

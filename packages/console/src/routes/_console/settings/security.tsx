import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { PasskeysCard } from '#/features/sign-in/factors/PasskeysCard.tsx'
import { mySecondFactors } from '#/features/sign-in/factors/queries.ts'
import { RecoveryCard } from '#/features/sign-in/factors/RecoveryCard.tsx'
import { TotpCard } from '#/features/sign-in/factors/TotpCard.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const RecoveryCodesDialog = lazyPart(
  () => import('#/features/sign-in/factors/set-up-parts.tsx'),
  'RecoveryCodesDialog',
)
/** Visible to few users and below the fold, so its code loads separately. */
const SiloSecondFactorCard = lazyPart(
  () => import('#/features/sign-in/factors/SiloSecondFactorCard.tsx'),
  'SiloSecondFactorCard',
)

export const Route = createFileRoute('/_console/settings/security')({
  loader: ({ context }) => context.prefetch(mySecondFactors),
  staticData: { crumb: { label: 'Security', to: '/settings/security' } },
  component: Security,
})

function Security() {
  const { siloAdmin } = useCurrentUser()
  const { data: factors } = useSuspenseQuery(mySecondFactors)
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <>
      <PageHead
        title="Security"
        docs={
          <DocsPopover topic="second factors" page="access#signing-in-safely">
            Passwords can be guessed or leaked. A passkey, or an authenticator code after your password,
            proves your identity.
          </DocsPopover>
        }
      />
      <div className="space-y-5">
        {factors.kinds.includes('passkey') && <PasskeysCard factors={factors} onCodes={setCodes} />}
        <TotpCard factors={factors} onCodes={setCodes} />
        <RecoveryCard factors={factors} onCodes={setCodes} />
        {siloAdmin && <SiloSecondFactorCard />}
      </div>
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Send } from '#/data/client.ts'
import { asFailure, Failure } from '#/data/failure.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { CheckboxField, ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { allSilos } from '#/features/silos/queries.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { codeOfLink, type PoolLinks, useLinkOps, useReplaced } from './pool-links.ts'

interface Props {
  links: PoolLinks
  onClose: () => void
}

interface Values {
  silo: string
  isDefault: boolean
}

/** Selects a silo that is not linked. */
export function LinkSiloDialog({ links: poolLinks, onClose }: Props) {
  const { pool, given } = poolLinks
  const queryClient = useQueryClient()
  const silos = useQuery(allSilos)
  const links = useQuery(poolLinks.all)
  const { link, setDefault } = useLinkOps(poolLinks)
  const linked = new Set(links.data?.map(({ siloId }) => siloId))
  const offered = links.data ? (silos.data ?? []).filter(({ id }) => !linked.has(id)) : []

  async function save({ silo, isDefault }: Values, send?: Send): Promise<string> {
    if (!isDefault) {
      await link(silo, false, send)
      return silo
    }
    const pools = await queryClient.fetchQuery(poolLinks.poolsOf(silo))
    // Unless it replaces another default, one request does both.
    const replaced = pools.find(poolLinks.isReplaced)
    if (replaced && send) throw notInOnePlan(replaced.name)
    await link(silo, !replaced, send)
    if (replaced) await makeDefault(silo)
    return silo
  }

  /** The silo is already linked, so a failure must not keep the dialog open. */
  async function makeDefault(silo: string): Promise<void> {
    try {
      await setDefault(silo, true)
    } catch (error) {
      toast.error({
        title: 'Silo linked, but pool not set as default',
        text: `${failureText(asFailure(error))} Choose Make default in the menu of the silo to try again.`,
      })
    }
  }

  return (
    <DialogForm
      title="Link silo"
      submitLabel="Link"
      pendingLabel="Linking"
      initial={{ silo: '', isDefault: false }}
      whyNotYet={({ silo }) => (silo ? undefined : 'Select a silo first')}
      save={save}
      reviewable
      codeOf={({ silo, isDefault }) => codeOfLink(poolLinks, silo, isDefault)}
      saved={(silo) => successMessage('Silo', silo, 'linked')}
      fieldOf={({ errorCode }) => (errorCode === 'ObjectNotFound' ? 'silo' : undefined)}
      onClose={onClose}
    >
      <p>
        Users of the silo will be eligible to get {given} from <strong>{pool}</strong>.
      </p>
      <ChoiceField
        name="silo"
        label="Silo"
        placeholder="Select a silo"
        hint={links.data && silos.data && offered.length === 0 ? 'All silos are linked already.' : undefined}
        {...choicesOf(silos, links)}
        options={offered.map(({ name, description }) => ({ value: name, label: name, detail: description }))}
      />
      <CheckboxField name="isDefault">Make default pool for silo</CheckboxField>
      <ReplacedDefault links={poolLinks} />
    </DialogForm>
  )
}

const notInOnePlan = (current: string): Failure =>
  new Failure({
    statusCode: 400,
    message: `This replaces ${current} as the default pool by a second request, of which no plan tells before the first is done.`,
    help: 'Link the silo without making the pool its default. Then choose Make default in the menu of the silo, which says what it does.',
  })

/** Names the silo's current default, which this pool would replace. */
function ReplacedDefault({ links }: Pick<Props, 'links'>) {
  const { silo, isDefault } = useWatch<Values>() as Values
  const current = useReplaced(links, silo, silo !== '' && isDefault)
  if (!current) return null
  return (
    <Note>
      This replaces <strong>{current}</strong> as the default pool of <strong>{silo}</strong>. It stays
      linked.
    </Note>
  )
}

import { inRow, type Overlays, type Step } from './steps.ts'

const pools = '/system/networking/subnet-pools'
const list = '/projects/:project/external-subnets'

/** Creates a subnet pool without members: only such pools can be deleted. */
const makePool: Step = (page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ name: 'bare', description: '', ip_version: 'v4' })
    await fetch('/v1/system/subnet-pools', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
  })

export const subnetsOverlays: Overlays = {
  'routes/_console/system/networking/_subnet-pools/subnet-pools-new.tsx': [
    [`${pools}-new`, 'Create subnet pool'],
  ],
  'routes/_console/system/networking/subnet-pools/$pool/edit.tsx': [
    [`${pools}/external/edit`, 'Edit subnet pool'],
  ],
  'routes/_console/system/networking/subnet-pools/$pool/members-add.tsx': [
    [`${pools}/external/members-add`, 'Add member'],
  ],
  'routes/_console/system/networking/subnet-pools/$pool/route.tsx': [
    [`${pools}/external`, 'Confirm remove member', inRow('198.18.64.0', 'Remove')],
  ],
  'features/subnet-pools/parts.tsx': [
    [pools, 'Confirm delete subnet pool', makePool, inRow('bare', 'Delete')],
  ],
  'features/addresses/external-subnets/AttachSubnetDialog.tsx': [
    [list, 'Attach external subnet', inRow('sandbank', 'Attach')],
  ],
  'features/addresses/external-subnets/use-external-subnet-row-actions.tsx': [
    [list, 'Detach external subnet', inRow('shoal', 'Detach')],
    [list, 'Confirm delete external subnet', inRow('sandbank', 'Delete')],
  ],
  'routes/_console/projects/$project/_external-subnets/external-subnets-new.tsx': [
    [`${list}-new`, 'Create external subnet'],
  ],
  'routes/_console/projects/$project/_external-subnets/external-subnets.$externalSubnet.edit.tsx': [
    [`${list}/shoal/edit`, 'Edit external subnet'],
  ],
}

import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { scriptOf } from '#/kit/code/script.ts'
import { terraformOfSteps } from '#/kit/code/terraform-of-steps.ts'
import { initialValues, type InstanceValues } from '../values.ts'
import { cloneSteps } from './clone-steps.ts'

const diskId = '3e2c6e84-bed8-4c94-afc3-1032082d6a90'
const context = { images: [], userData: undefined, randomHex: () => 'abc123', hasExternalAddresses: true }
const values: InstanceValues = {
  ...initialValues({ siloImages: [], projectImages: [], sshKeys: [], pools: [] }),
  name: 'copy',
  bootSource: 'copy',
  bootCopy: { id: diskId, name: 'boot', size: 20 * GiB },
}

test('a clone takes snapshots, whose ids the instance names, and deletes them', () => {
  const steps = cloneSteps('atlas', values, [{ key: 'env', value: 'test' }], context)
  expect(steps.map(({ op }) => op.name)).toEqual(['snapshotCreate', 'instanceCreate', 'snapshotDelete'])
  const { gantry, TypeScript } = scriptOf(steps, { server: 'https://gantry.example', keepsIds: true })
  // The disk is here, so its id stays.
  expect(gantry).toMatch(new RegExp(`run snapshot create [^#]*--disk ${diskId}\\n(snapshot_boot_\\w+_id)=`))
  const [, variable] = /^(snapshot_boot_\w+_id)=\$\(answered id\)$/m.exec(gantry) ?? []
  expect(gantry).toContain(`"snapshot_id": "\${${variable}}"`)
  expect(gantry).toContain(`run snapshot delete "\${${variable}}"`)
  expect(gantry).toContain("--tag 'env=test'")
  expect(TypeScript).toMatch(/snapshotId: snapshotBoot\w+\.id,/)
  expect(gantry + TypeScript).not.toContain('00000000-0000')
})

test('in Terraform, the disks of a clone are of resources that are snapshots', () => {
  const terraform = terraformOfSteps(cloneSteps('atlas', values, [], context)) ?? ''
  expect(terraform).toMatch(/^resource "oxide_snapshot" "boot-\w+"/m)
  expect(terraform).toMatch(/source_snapshot_id = oxide_snapshot\.boot-\w+\.id$/m)
  expect(terraform.match(/^data "oxide_project" "atlas"/gm)).toHaveLength(1)
})

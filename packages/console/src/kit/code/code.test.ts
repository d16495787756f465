import * as op from '@gantry/api/client/operations.gen'
import { newestVersionText } from '@gantry/api/versions/newest.rules'
import { expect, test } from 'vitest'
import { codeOf } from './code.ts'

const server = 'https://gantry.example'

const disk = {
  op: op.diskCreate,
  input: {
    query: { project: 'atlas' },
    body: {
      name: 'data',
      description: "Anna's",
      size: 10 * 1024 ** 3,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
    },
  },
  tags: [{ key: 'env', value: 'prod' }],
}

test('a form that creates an object', () => {
  const code = codeOf(disk, server)
  expect(code.curl).toBe(
    [
      `curl --request POST 'https://gantry.example/v1/disks?project=atlas' \\`,
      `  --header "Authorization: Bearer $GANTRY_TOKEN" \\`,
      `  --header 'api-version: ${newestVersionText}' \\`,
      `  --header 'gantry-tags: env=prod' \\`,
      `  --header 'Content-Type: application/json' \\`,
      "  --data-binary '{",
      '  "name": "data",',
      `  "description": "Anna'\\''s",`,
      '  "size": 10737418240,',
      '  "disk_backend": {',
      '    "type": "distributed",',
      '    "disk_source": {',
      '      "type": "blank",',
      '      "block_size": 512',
      '    }',
      '  }',
      "}'",
    ].join('\n'),
  )
  expect(code.gantry).toBe(
    [
      'gantry disk create \\',
      '  --project atlas \\',
      '  --name data \\',
      `  --description 'Anna'\\''s' \\`,
      '  --size 10737418240 \\',
      `  --disk-backend '{"type":"distributed","disk_source":{"type":"blank","block_size":512}}' \\`,
      "  --tag 'env=prod'",
    ].join('\n'),
  )
  expect(code.TypeScript).toBe(
    [
      "import { createClient, op, unwrap } from '@gantry/client'",
      '',
      "const client = createClient({ base: 'https://gantry.example', token: process.env.GANTRY_TOKEN })",
      'const answer = await unwrap(client(op.diskCreate, {',
      "  query: { project: 'atlas' },",
      '  body: {',
      "    name: 'data',",
      "    description: 'Anna\\'s',",
      '    size: 10737418240,',
      '    diskBackend: {',
      "      type: 'distributed',",
      "      diskSource: { type: 'blank', blockSize: 512 },",
      '    },',
      '  },',
      "}, { tags: [{ key: 'env', value: 'prod' }] }))",
    ].join('\n'),
  )
  expect(code.Terraform).toBe(
    [
      'data "oxide_project" "atlas" {',
      '  name = "atlas"',
      '}',
      '',
      'resource "oxide_disk" "data" {',
      '  project_id  = data.oxide_project.atlas.id',
      '  name        = "data"',
      `  description = "Anna's"`,
      '  size        = 10737418240',
      '  block_size  = 512',
      '}',
    ].join('\n'),
  )
})

test('a list shows its query, and begins at its first page', () => {
  const query = { project: 'atlas', filter: 'state:running tag:env=prod', limit: 50, pageToken: 'x' }
  const code = codeOf({ op: op.instanceSortedList, input: { query } }, server)
  expect(code.curl).toContain(
    "'https://gantry.example/ext/v1/instances?project=atlas&filter=state%3Arunning+tag%3Aenv%3Dprod&limit=50'",
  )
  expect(code.gantry).toBe(
    "gantry instance list \\\n  --project atlas \\\n  --filter 'state:running tag:env=prod' \\\n  --limit 50",
  )
  expect(code.Terraform).toBeUndefined()
})

test('an object on screen is viewed, and imported', () => {
  const id = '3e2c6e84-bed8-4c94-afc3-1032082d6a90'
  const shown = {
    id,
    name: 'web net',
    description: '',
    projectId: id,
    dnsName: 'web',
    ipv6Prefix: 'fd00::/48',
  }
  const code = codeOf(
    { op: op.vpcView, input: { path: { vpc: 'web' }, query: { project: 'atlas' } }, shown },
    server,
  )
  expect(code.gantry).toBe('gantry vpc view web \\\n  --project atlas')
  expect(code.Terraform).toBe(
    [
      'resource "oxide_vpc" "web_net" {',
      `  project_id  = "${id}"`,
      '  name        = "web net"',
      '  description = ""',
      '  dns_name    = "web"',
      '  ipv6_prefix = "fd00::/48"',
      '}',
      '',
      'import {',
      '  to = oxide_vpc.web_net',
      `  id = "${id}"`,
      '}',
    ].join('\n'),
  )
})

test('secrets are variables everywhere, and what looks like one in other fields stays text', () => {
  const password = 'pebble-quarry-lamp'
  const request = {
    op: op.localIdpUserCreate,
    input: {
      query: { silo: 'lab' },
      body: { externalId: '$HOME `id` \\', password: { mode: 'password', value: password } },
    },
  }
  const code = codeOf(request, server)
  expect(Object.values(code).join('\n')).not.toContain(password)
  expect(code.gantry).toBe(
    [
      '# Set PASSWORD first, with quotes and line breaks as in JSON.',
      'gantry local-idp-user create \\',
      '  --silo lab \\',
      '  --body - <<END',
      '{',
      '  "external_id": "\\$HOME \\`id\\` \\\\\\\\",',
      '  "password": {',
      '    "mode": "password",',
      '    "value": "$PASSWORD"',
      '  }',
      '}',
      'END',
    ].join('\n'),
  )
  expect(code.TypeScript).toContain(`password: { mode: 'password', value: process.env.PASSWORD! }`)
})

test('an object with an inner secret keeps its other fields', () => {
  const body = { mode: 'password', value: 'pebble-quarry-lamp' }
  const request = {
    op: op.localIdpUserSetPassword,
    input: { path: { userId: 'u' }, query: { silo: 'lab' }, body },
  }
  const code = codeOf(request, server)
  expect(code.curl).toContain('"mode": "password",\n  "value": "$PASSWORD"')
  expect(code.TypeScript).toContain("body: { mode: 'password', value: process.env.PASSWORD! }")
})

test('a null or a body without fields is given as a whole, and a leading dash with an equals sign', () => {
  const update = (body: object) =>
    codeOf({ op: op.instanceUpdate, input: { path: { instance: 'web' }, query: {}, body } }, server)
  expect(update({ ncpus: 2, bootDisk: null }).gantry).toBe(
    'gantry instance update web \\\n  --body - <<END\n{\n  "ncpus": 2,\n  "boot_disk": null\n}\nEND',
  )
  expect(update({ ncpus: 2, bootDisk: '-x' }).gantry).toContain('--boot-disk=-x')
})

test('a whole instance as Terraform: its disks are resources, and names become data sources', () => {
  const body = {
    name: 'web',
    description: '${path}',
    hostname: 'web',
    ncpus: 2,
    memory: 1024 ** 3,
    start: true,
    bootDisk: {
      type: 'create',
      name: 'web-boot',
      description: '',
      size: 1024 ** 3,
      diskBackend: {
        type: 'distributed',
        diskSource: { type: 'image', imageId: '3e2c6e84-bed8-4c94-afc3-1032082d6a90' },
      },
    },
    disks: [{ type: 'attach', name: 'data' }],
    externalIps: [{ type: 'ephemeral' }],
    networkInterfaces: { type: 'default_ipv4' },
    sshPublicKeys: ['laptop'],
  }
  const { Terraform = '' } = codeOf(
    { op: op.instanceCreate, input: { query: { project: 'atlas' }, body } },
    server,
  )
  expect(Terraform).toContain('  source_image_id = "3e2c6e84-bed8-4c94-afc3-1032082d6a90"')
  expect(Terraform).toContain('description      = "$${path}"')
  expect(Terraform).toContain('disk_attachments = [oxide_disk.web-boot.id, data.oxide_disk.data.id]')
  expect(Terraform.match(/^(data|resource) "\w+"/gm)).toEqual([
    'data "oxide_project"',
    'resource "oxide_disk"',
    'data "oxide_disk"',
    'data "oxide_ssh_key"',
    'data "oxide_vpc"',
    'data "oxide_vpc_subnet"',
    'resource "oxide_instance"',
  ])
})

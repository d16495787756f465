import { describe, expect, test } from 'vitest'
import { bootLog } from './boot-log.ts'
import { commandNames } from './commands.ts'
import { bootedAt, bytesOf, db, later, linesOf, loggedIn, textOf, web } from './guest.fixtures.ts'
import { type } from './machine.ts'

const MODEL = 'Gantry Virtual Processor'

// The expected output of each command on two different VMs.
const cases: [line: string, onWeb: string[], onDb: string[]][] = [
  ['hostname', ['web-1'], ['db.example.org']],
  ['uname', ['Linux'], ['Linux']],
  ['uname -r', ['6.8.0-64-generic'], ['6.12.41-cloud-amd64']],
  ['uname -rn', ['web-1 6.8.0-64-generic'], ['db.example.org 6.12.41-cloud-amd64']],
  [
    'uname -a',
    ['Linux web-1 6.8.0-64-generic #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux'],
    ['Linux db.example.org 6.12.41-cloud-amd64 #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux'],
  ],
  ['uname -q', ["uname: unknown option 'q'"], ["uname: unknown option 'q'"]],
  ['nproc', ['1'], ['16']],
  ['dmesg', bootLog(web, bootedAt).map(({ text }) => text), bootLog(db, bootedAt).map(({ text }) => text)],
  [
    'free',
    [
      '               total        used        free      shared  buff/cache   available',
      'Mem:          999424      192806      581142         948      225476      779560',
      'Swap:              0           0           0',
    ],
    [
      '               total        used        free      shared  buff/cache   available',
      'Mem:        66027520      985530    64288032         948      753958    64951515',
      'Swap:              0           0           0',
    ],
  ],
  [
    'free -h',
    [
      '               total        used        free      shared  buff/cache   available',
      'Mem:           976Mi       188Mi       567Mi       948Ki       220Mi       761Mi',
      'Swap:             0B          0B          0B',
    ],
    [
      '               total        used        free      shared  buff/cache   available',
      'Mem:            62Gi       962Mi        61Gi       948Ki       736Mi        61Gi',
      'Swap:             0B          0B          0B',
    ],
  ],
  [
    'lsblk',
    [
      'NAME    MAJ:MIN RM SIZE RO TYPE MOUNTPOINTS',
      'vda     252:0    0  10G  0 disk',
      '├─vda1  252:1    0 9.9G  0 part /',
      '├─vda14 252:14   0   3M  0 part',
      '└─vda15 252:15   0 124M  0 part /boot/efi',
    ],
    [
      'NAME    MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS',
      'vda     252:0    0   40G  0 disk',
      '├─vda1  252:1    0 39.9G  0 part /',
      '├─vda14 252:14   0    3M  0 part',
      '└─vda15 252:15   0  124M  0 part /boot/efi',
      'vdb     252:16   0  512G  0 disk',
    ],
  ],
  [
    'df -h /home /boot/efi',
    [
      'Filesystem Size Used Avail Use% Mounted on',
      '/dev/vda1  9.8G 1.2G  8.1G  13% /',
      '/dev/vda15 124M 8.8M  116M   8% /boot/efi',
    ],
    [
      'Filesystem Size Used Avail Use% Mounted on',
      '/dev/vda1   40G 1.3G   37G   4% /',
      '/dev/vda15 124M 8.8M  116M   8% /boot/efi',
    ],
  ],
  [
    'ip route',
    [
      'default via 172.30.0.1 dev eth0 proto dhcp src 172.30.0.5',
      '172.30.0.0/22 dev eth0 proto kernel scope link src 172.30.0.5',
    ],
    [
      'default via 192.168.7.1 dev eth1 proto dhcp src 192.168.7.9',
      '10.1.2.128/25 dev eth0 proto kernel scope link src 10.1.2.200',
      '192.168.7.0/24 dev eth1 proto kernel scope link src 192.168.7.9',
    ],
  ],
  ['ip addr show eth9', ['Device "eth9" does not exist.'], ['Device "eth9" does not exist.']],
  ['ip', ['Usage: ip { addr | link | route }'], ['Usage: ip { addr | link | route }']],
  [
    'cat /etc/os-release',
    ['PRETTY_NAME="Ubuntu 24.04"', 'ID=ubuntu', 'VERSION_ID="24.04"'],
    ['PRETTY_NAME="Debian GNU/Linux 13"', 'ID=debian', 'VERSION_ID="13"'],
  ],
  ['cat ../../etc/hostname', ['web-1'], ['db.example.org']],
  [
    'cat /etc/hosts',
    ['127.0.0.1 localhost', '::1 localhost', '172.30.0.5 web-1'],
    [
      '127.0.0.1 localhost',
      '::1 localhost',
      '10.1.2.200 db.example.org',
      '192.168.7.9 db.example.org',
      'fd00:1::7 db.example.org',
    ],
  ],
  ['cat /proc/uptime', ['3664530.00 3591239.40'], ['3664530.00 57459830.40']],
  [
    'cat /etc; cat nope',
    ['cat: /etc: Is a directory', 'cat: /home/mara/nope: No such file or directory'],
    ['cat: /etc: Is a directory', 'cat: /home/mara/nope: No such file or directory'],
  ],
  ['echo $HOSTNAME', ['web-1'], ['db.example.org']],
]

describe.each(cases)('%s', (line, onWeb, onDb) => {
  test('on one VM', () => expect(linesOf(web, line)).toEqual(onWeb))
  test('on another', () => expect(linesOf(db, line)).toEqual(onDb))
})

test.each([
  ['whoami', 'mara', ['mara']],
  ['whoami', 'root', ['root']],
  ['sudo whoami', 'mara', ['root']],
  ['sudo -E whoami', 'mara', ['root']],
  ['sudo -i', 'mara', ['usage: sudo command']],
  ['id', 'mara', ['uid=1000(mara) gid=1000(mara) groups=1000(mara),27(sudo)']],
  ['id', 'root', ['uid=0(root) gid=0(root) groups=0(root)']],
  ['pwd', 'mara', ['/home/mara']],
  ['pwd', 'root', ['/root']],
  ['date', 'mara', ['Thu Nov 20 18:02:11 UTC 2025']],
  ['uptime', 'mara', [' 18:02:11 up 42 days,  9:55,  1 user,  load average: 0.04, 0.02, 0.00']],
  [
    'ps',
    'mara',
    ['    PID TTY          TIME CMD', '    531 ttyS0    00:00:00 bash', '    548 ttyS0    00:00:00 ps'],
  ],
  ['ls', 'mara', []],
  ['ls /', 'mara', ['bin  boot  dev  etc  home  proc  root  run  sbin  sys  tmp  usr  var']],
  ['ls -la /etc ~ /home', 'mara', ['hostname  hosts  os-release', 'mara']],
  ['ls /etc/hosts', 'mara', ['/etc/hosts']],
  ['ls /nope && echo no; echo yes', 'mara', ["ls: cannot access '/nope': No such file or directory", 'yes']],
  ['echo', 'mara', ['']],
  ['echo -n "a  b" c', 'mara', ['a  b c']],
  ['history', 'mara', ['    1  history']],
  ['echo a && echo b', 'mara', ['a', 'b']],
  ['free -x', 'mara', ["free: unknown option '-x'"]],
  ['df nope', 'mara', ['df: nope: No such file or directory']],
  ['vim', 'mara', ["vim: command not found (type 'help' for the commands of this guest)"]],
  ['constructor', 'mara', ["constructor: command not found (type 'help' for the commands of this guest)"]],
  ['ls | wc', 'mara', ["sh: '|' is not supported by this simulated guest"]],
  ['', 'mara', []],
])('%s as %s', (line, user, expected) => expect(linesOf(web, line, user)).toEqual(expected))

test('ip addr shows every link with its addresses', () => {
  const lines = linesOf(db, 'ip a')
  expect(
    lines.filter((line) => /^\d/.test(line)).map((line) => line.split(':').slice(0, 2).join('')),
  ).toEqual(['1 lo', '2 eth0', '3 eth1', '4 eth2'])
  expect(lines.filter((line) => line.includes('inet')).map((line) => line.trim())).toEqual([
    'inet 127.0.0.1/8 scope host lo',
    'inet6 ::1/128 scope host noprefixroute',
    'inet 10.1.2.200/25 brd 10.1.2.255 scope global dynamic eth0',
    'inet6 fe80::aa40:25ff:fe00:1/64 scope link',
    'inet 192.168.7.9/24 brd 192.168.7.255 scope global dynamic eth1',
    'inet6 fe80::aa40:25ff:fef3:4d05/64 scope link',
    'inet6 fd00:1::7/64 scope global dynamic',
    'inet6 fe80::aa40:25ff:fef3:4d06/64 scope link',
  ])
})

test('ip link shows one link without addresses', () => {
  expect(linesOf(web, 'ip link show dev eth0')).toEqual([
    '2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP group default qlen 1000',
    '    link/ether a8:40:25:f0:1c:02 brd ff:ff:ff:ff:ff:ff',
  ])
})

test.each([
  [web, '0', '1'],
  [db, '0-15', '16'],
])('lscpu and cpuinfo agree on the processors', (facts, list, count) => {
  const lines = linesOf(facts, 'lscpu')
  expect(lines).toContain(`CPU(s):                 ${count}`)
  expect(lines).toContain(`On-line CPU(s) list:    ${list}`)
  expect(lines).toContain(`Model name:             ${MODEL}`)
  const processors = linesOf(facts, 'cat /proc/cpuinfo').filter((line) => line.startsWith('processor'))
  expect(processors).toHaveLength(Number(count))
})

test.each([web, db])('meminfo and free agree, and the parts add up', (facts) => {
  const [, memory = ''] = linesOf(facts, 'free')
  const [total = 0, used = 0, free = 0, , cache = 0, available = 0] = memory.split(/\s+/).slice(1).map(Number)
  expect(used + free + cache).toBe(total)
  expect(total * 1024).toBeLessThan(facts.memory)
  expect(total * 1024).toBeGreaterThan(facts.memory * 0.9)
  const meminfo = linesOf(facts, 'cat /proc/meminfo').map((line) => line.replace(/\s+/g, ' '))
  expect(meminfo.slice(0, 3)).toEqual([
    `MemTotal: ${total} kB`,
    `MemFree: ${free} kB`,
    `MemAvailable: ${available} kB`,
  ])
})

test.each([web, db])('filesystems fit in their partitions', (facts) => {
  const rows = linesOf(facts, 'df')
    .slice(1)
    .map((line) => line.split(/\s+/))
  expect(rows.map((row) => row[5])).toEqual(['/dev', '/run', '/', '/dev/shm', '/boot/efi'])
  for (const [, size, used, available] of rows)
    expect(Number(used) + Number(available)).toBeLessThanOrEqual(Number(size))
})

test('lsblk shows which disk cannot be written', () => {
  const disks = db.disks.map((disk) => ({ ...disk, read_only: disk.name === 'db-data' }))
  expect(linesOf({ ...db, disks }, 'lsblk').filter((line) => line.startsWith('vd'))).toEqual([
    'vda     252:0    0   40G  0 disk',
    'vdb     252:16   0  512G  1 disk',
  ])
})

test('a VM without disks runs from memory', () => {
  const diskless = { ...web, disks: [] }
  expect(linesOf(diskless, 'lsblk')).toEqual([])
  expect(linesOf(diskless, 'df -h /')[1]).toMatch(/^\/dev\/ram0 +488M +240M +248M +50% \/$/)
})

test('ps aux lists processes of all users', () => {
  const lines = linesOf(web, 'ps aux', 'a-rather-long-name')
  expect(lines[0]).toBe('USER         PID %CPU %MEM    RSS TTY      STAT START   TIME COMMAND')
  expect(lines).toContain('root           1  0.0  1.3  13212 ?        Ss   08:06   0:00 /sbin/init')
  expect(lines).toContain('a-rathe+     548  0.0  0.4   4012 ttyS0    R+   18:02   0:00 ps')
})

test("clear erases the screen and the line's earlier output", () => {
  const { output } = type(web, loggedIn(web), bytesOf('echo a; clear; echo b\r'), later)
  expect(textOf(output)).toBe('echo a; clear; echo b\r\n\u001b[H\u001b[2Jb\r\nmara@web-1:~$ ')
})

test('help names every command', () => {
  const lines = linesOf(web, 'help')
  expect(lines.slice(2).map((line) => line.trim().split(' ')[0])).toEqual(commandNames)
  expect(lines.every((line) => line.length < 80)).toBe(true)
})

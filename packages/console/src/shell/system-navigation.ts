import Archive from 'lucide-react/icons/archive'
import BellRing from 'lucide-react/icons/bell-ring'
import Coins from 'lucide-react/icons/coins'
import ArrowUpCircle from 'lucide-react/icons/circle-arrow-up'
import Boxes from 'lucide-react/icons/boxes'
import Building2 from 'lucide-react/icons/building-2'
import Cable from 'lucide-react/icons/cable'
import ChartLine from 'lucide-react/icons/chart-line'
import Gauge from 'lucide-react/icons/gauge'
import History from 'lucide-react/icons/history'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Network from 'lucide-react/icons/network'
import Server from 'lucide-react/icons/server'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Split from 'lucide-react/icons/split'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { NavItem } from './navigation.ts'

/** The fleet's pages. In a file of its own, because all other items are in every first load. */
export const systemItems: NavItem[] = [
  { label: 'Overview', link: { to: '/system' }, icon: LayoutDashboard, exact: true, isExtension: true },
  { label: 'Issues', link: { to: '/system/issues' }, icon: TriangleAlert, isExtension: true },
  {
    label: 'Alerts',
    link: { to: '/system/alerts' },
    icon: BellRing,
    covers: /^\/system\/(raised-)?alerts/,
  },
  { label: 'Silos', link: { to: '/system/silos' }, icon: Building2 },
  { label: 'Instances', link: { to: '/system/instances' }, icon: Boxes, isExtension: true },
  { label: 'Utilization', link: { to: '/system/utilization' }, icon: Gauge },
  { label: 'Use and cost', link: { to: '/system/usage' }, icon: Coins, isExtension: true },
  { label: 'Metrics', link: { to: '/system/metrics' }, icon: ChartLine },
  {
    label: 'Inventory',
    link: { to: '/system/inventory/sleds' },
    icon: Server,
    covers: /^\/system\/inventory\//,
  },
  {
    label: 'Networking',
    link: { to: '/system/networking/fabric' },
    icon: Cable,
    covers: /^\/system\/networking\/(?!ip-pools|subnet-pools)/,
  },
  { label: 'IP Pools', link: { to: '/system/networking/ip-pools' }, icon: Network },
  { label: 'Subnet Pools', link: { to: '/system/networking/subnet-pools' }, icon: Split },
  {
    label: 'Backup targets',
    link: { to: '/system/backup-targets' },
    icon: Archive,
    isExtension: true,
  },
  { label: 'Activity', link: { to: '/system/activity' }, icon: History, isExtension: true },
  { label: 'Audit log', link: { to: '/system/audit-log' }, icon: ShieldCheck },
  { label: 'Support bundles', link: { to: '/system/support-bundles' }, icon: LifeBuoy },
  { label: 'System Update', link: { to: '/system/update' }, icon: ArrowUpCircle, isExtension: true },
  { label: 'Fleet Access', link: { to: '/system/access' }, icon: KeyRound },
]

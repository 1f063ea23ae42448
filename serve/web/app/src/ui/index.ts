// What pages are made of.
export { Button, IconButton, LinkButton } from './Button';
export { ask, Dialog } from './Dialog';
export { Check, type Choice, Field, Select, TextArea, TextField } from './Field';
export { Icon } from './Icon';
export { Loaded } from './Loaded';
export { Menu, type MenuItem } from './Menu';
export { Spark } from './Spark';
export { showShortcuts, useShortcut } from './shortcuts';
export {
  Badge,
  Copy,
  copyText,
  Empty,
  ErrorBox,
  Note,
  PageHead,
  Panel,
  Search,
  Skeleton,
  Spinner,
  Time,
  type Tone,
} from './show';
export { type Column, Table } from './Table';
export { type Tab, Tabs } from './Tabs';
export { toast } from './Toast';
export { Tooltip } from './Tooltip';

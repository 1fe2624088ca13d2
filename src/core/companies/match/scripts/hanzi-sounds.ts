/**
 * Chinese characters that write the sounds of foreign and Chinese company names, with their pinyin without tones. Our own list: the
 * characters that transcriptions use most.
 */
const rows = [
  'a 阿啊 ai 艾爱埃 an 安 ang 昂 ao 奥澳 ba 巴八芭 bai 百拜柏 ban 班邦 bang 邦 bao 宝保 bei 贝北倍 ben 本奔 bi 比毕碧必 bin 宾 bo 波博伯勃玻 bu 布步 cai 蔡 chi 驰 chuan 川',
  'da 达大 dai 戴代 dan 丹 dang 当 dao 道 de 德得 deng 登 di 迪狄蒂帝地 dian 典 ding 丁 dong 东 du 杜度都 dun 顿敦 duo 多 e 厄俄 en 恩 er 尔耳儿 fa 法发 fan 范凡 fei 飞菲费 fen 芬',
  'feng 丰风 fo 佛 fu 福富弗夫 gai 盖 ge 格哥戈歌 gu 古谷 gui 桂 guo 果 ha 哈 hai 海 han 汉韩 he 赫和荷 hei 黑 heng 亨 hong 宏 hu 胡虎 hua 华 huo 霍 ji 吉基奇 jia 加佳嘉 jian 健 jie 杰捷 jin 金津 jing 京',
  'ka 卡咖 kai 凯开 kang 康 kao 考 ke 克科可柯 ken 肯 kou 口 ku 库酷 kuan 宽 kun 昆 la 拉 lai 莱来 lan 兰 lang 朗 lao 劳 le 乐勒 lei 雷 li 利里丽力李历 lian 联 lin 林琳 ling 灵 long 龙隆 lu 路鲁卢露 lun 伦 luo 罗洛',
  'ma 马玛 mai 麦迈 man 曼 mei 美梅 men 门 meng 蒙孟 mi 米迷 min 敏 mo 莫摩默 mu 穆姆 na 纳娜 nai 耐奈 nan 南 ni 尼妮 niu 纽 nong 侬 nuo 诺 ou 欧 pa 帕 pai 派 pan 潘 pang 庞 pei 佩 peng 彭 pi 皮匹 ping 平 po 珀 pu 普浦 qi 奇 qiao 乔',
  'rui 瑞锐 ruo 若 sa 萨莎 sai 赛塞 san 三 sang 桑 se 色瑟 sen 森 sha 沙 shan 山 shang 尚 sheng 圣胜 shi 施史 si 斯思丝司西 su 苏 suo 索 ta 塔 tai 泰台 tan 坦 tang 唐 te 特 teng 腾 ti 提 tian 天田 ting 廷 tong 通 tu 图途 tuo 托',
  'wa 瓦 wan 万 wang 旺 wei 威维为微卫韦 wen 温 wo 沃 wu 伍吴 xi 希喜夕锡 xia 夏 xian 先 xiang 香 xiao 小晓 xin 新辛欣 xing 星兴 xiong 雄 xun 讯迅 ya 亚雅 yan 延 yang 杨 yi 伊易依怡一 yin 因 ying 英 you 优尤 yu 宇 yuan 元 yue 悦 yun 云',
  'za 扎 ze 泽 zhen 真 zhi 智 zhong 中 zhu 珠 zi 兹孜子 zu 祖 zuo 佐',
];

/** Pinyin of a character. */
export const hanziSounds: ReadonlyMap<string, string> = new Map(rows.flatMap(readRow));

function readRow(row: string): readonly (readonly [string, string])[] {
  const parts = row.split(' ');
  return parts.flatMap((sound, i) =>
    i % 2 === 1 ? [] : [...(parts[i + 1] ?? '')].map((sign) => [sign, sound] as const),
  );
}

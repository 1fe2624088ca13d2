/**
 * Words of company names in scripts that write words together, and in Cyrillic and Greek, with their English equivalents. They divide such
 * a name: `나이키코리아` is `나이키` and `korea`. Our own list. Words of two characters or more; the longest match counts.
 */
const rows: readonly string[] = [
  // Korean
  '코리아=korea 한국=korea 재팬=japan 차이나=china 아시아=asia 퍼시픽=pacific 인터내셔널=international 글로벌=global 홀딩스=holdings 그룹=group',
  '전자=electronics 자동차=automobile 모터스=motors 모터=motor 서비스=services 서비시스=services 마케팅=marketing 판매=sales 코퍼레이션=corporation',
  '테크놀로지=technology 시스템즈=systems 시스템=systems 솔루션=solutions 솔루션즈=solutions 미디어=media 페이=pay 카드=card 은행=bank 보험=insurance',
  '증권=securities 생명=life 화재=insurance 화학=chemicals 건설=construction 중공업=industries 물산=trading 상사=trading 통신=telecom 텔레콤=telecom',
  '엔터테인먼트=entertainment 풀필먼트=fulfilment 리테일=retail 트레이딩=trading 커머스=commerce 뱅크=bank 캐피탈=capital 로지스틱스=logistics',
  '식품=food 제약=pharmaceuticals 화장품=cosmetics 쇼핑=retail 백화점=store 유통=distribution 커피=coffee 컴퍼니=company 인터넷=internet 클라우드=cloud',
  // Japanese
  'ジャパン=japan 日本=japan アジア=asia パシフィック=pacific コリア=korea インターナショナル=international グローバル=global ホールディングス=holdings グループ=group',
  'マーケティング=marketing サービシズ=services サービス=services コーポレーション=corporation カンパニー=company テクノロジーズ=technologies テクノロジー=technology',
  'システムズ=systems システム=systems ソリューションズ=solutions リテール=retail リテイリング=retail コーヒー=coffee エンタテインメント=entertainment',
  'エンターテインメント=entertainment モーターズ=motors モーター=motor メディア=media カード=card バンク=bank ファイナンス=finance トレーディング=trading',
  'エレクトロニクス=electronics ロジスティクス=logistics モバイル=mobile フーズ=foods スポーツ=sports ファッション=fashion コスメティクス=cosmetics',
  '自動車=automobile 電機=electric 電器=electric 電気=electric 工業=industries 産業=industry 製薬=pharmaceuticals 薬品=pharmaceuticals 製作所=manufacturing',
  '銀行=bank 証券=securities 保険=insurance 生命=life 損害=insurance 販売=sales 商事=trading 物流=logistics 通信=telecom 食品=food 飲料=beverages 本社=headquarters 支店=branch',
  'ジャポン=japan ファーマ=pharma フランス=france ドイツ=germany イタリア=italy アメリカ=america ヨーロッパ=europe ヘルスケア=healthcare ケミカル=chemical',
  'エナジー=energy ホテル=hotels ホテルズ=hotels ショップ=shop ストア=store ストアーズ=stores オンライン=online デジタル=digital プロダクツ=products インダストリーズ=industries',
  'エンジニアリング=engineering コンサルティング=consulting ペイ=pay クラウド=cloud ゲームス=games エアライン=airlines ビール=beer 商会=trading 広告=advertising 不動産=immobilien',
  '독일=germany 미국=america 유럽=europe 홍콩=hongkong 헬스케어=healthcare 파마=pharma 바이오=biotech 에너지=energy 쇼핑몰=retail 스토어=store 디지털=digital 게임즈=games 항공=airlines 호텔=hotels 물류=logistics 광고=advertising 대행사=agency 부동산=immobilien 모빌리티=mobility 케미칼=chemical 이노베이션=innovation',
  // Chinese, simplified and traditional
  '中国=china 中國=china 上海=china 北京=china 深圳=china 广州=china 廣州=china 杭州=china 苏州=china 天津=china 香港=hongkong 台湾=taiwan 台灣=taiwan 新加坡=singapore',
  '商业=commerce 商業=commerce 贸易=trading 貿易=trading 商贸=trading 商貿=trading 国际=international 國際=international 集团=group 集團=group 控股=holding',
  '投资=investment 投資=investment 管理=management 销售=sales 銷售=sales 服务=services 服務=services 咨询=consulting 技术=technology 技術=technology',
  '科技=technology 网络=network 網路=network 信息=information 软件=software 軟體=software 电子商务=commerce 电子=electronics 電子=electronics 通讯=telecom 终端=device',
  '汽车=automobile 汽車=automobile 体育用品=sportswear 体育=sports 服饰=apparel 化妆品=cosmetics 食品=food 饮料=beverages 电脑=computers 实业=industry 工业=industry',
  '企业=enterprise 广告=advertising 文化=media 传媒=media 支付=payments 餐饮=restaurants 家居=furniture 医药=pharmaceuticals 制药=pharmaceuticals 股份=corporation',
  // Thai, Cyrillic and Greek words that are no mere sounds
  'такси=taxi банк=bank россия=russia рус=russia украина=ukraine украiна=ukraine страхование=insurance лизинг=leasing технологии=technologies маркет=market',
  // Local businesses
  '整骨院=clinic 接骨院=clinic 歯科=dentist 医院=clinic クリニック=clinic 病院=hospital 法律事務所=lawyers 税理士=accounting 美容室=salon 美容院=salon 食堂=restaurant 旅館=hotel 学園=school 農園=farm 寺=temple 工務店=builders 塾=school',
  '치과=dentist 병원=hospital 의원=clinic 한의원=clinic 학원=school 법무법인=lawyers 법률사무소=lawyers 대리점=dealer 총판=dealer 미용실=salon 식당=restaurant 펜션=pension 공인중개사=realtor 카센터=garage 교회=church',
  '律师=lawyers 餐厅=restaurant 餐廳=restaurant 酒店=hotel 学校=school 诊所=clinic 診所=clinic 牙科=dentist 培训=coaching 专卖=store 代理=agency 经销=dealer 维修=repair 維修=repair',
  'агентство=agency студия=atelier салон=salon стоматология=dentist клиника=clinic ремонт=repair школа=school гостиница=hotel отель=hotel автосервис=garage магазин=shop',
  'ประเทศไทย=thailand ไทย=thailand ธนาคาร=bank',
];

/** English equivalents of native words. */
export const nativeWords: ReadonlyMap<string, string> = new Map(
  rows
    .flatMap((row) => row.split(' '))
    .map((entry) => {
      const [native = '', english = ''] = entry.split('=');
      return [native, english] as const;
    }),
);

/** Names of Latin letters in Hangul and kana, which write initials: `비엠더블유` is `bmw`. */
export const letterNames: ReadonlyMap<string, string> = new Map(
  [
    '에이=a 비=b 씨=c 시=c 디=d 이=e 에프=f 지=g 에이치=h 아이=i 제이=j 케이=k 엘=l 엠=m 엔=n 오=o 피=p 큐=q 알=r 에스=s 티=t 유=u 브이=v 더블유=w 엑스=x 와이=y 제트=z',
    'エー=a エイ=a ビー=b シー=c ディー=d イー=e エフ=f ジー=g エイチ=h アイ=i ジェイ=j ケイ=k ケー=k エル=l エム=m エヌ=n オー=o ピー=p キュー=q アール=r エス=s ティー=t ユー=u ブイ=v ダブリュー=w ダブリュ=w エックス=x ワイ=y',
  ]
    .flatMap((row) => row.split(' '))
    .map((entry) => {
      const [native = '', latin = ''] = entry.split('=');
      return [native, latin] as const;
    }),
);
